// What the keyboard needs of a drawing whose tiles, or buttons, can be tapped: focus that outlives what is drawn anew, and that finds the
// tiles of a dialog. The dialog's focus trap sees the component's host but nothing inside: there the host is a stop of Tab, and arrow keys
// move on from tile to tile.

const last = new WeakMap(); // for each drawing the key of what had the focus last, and its place

function tappable(root) {
  return [...root.querySelectorAll("button[data-key]:enabled, [data-key][tabindex]")];
}

function remember({ currentTarget: root, target }) {
  last.set(root, { key: target.dataset.key, place: tappable(root).indexOf(target) });
}

// What had the focus last, or has taken its place since; at first the chosen tile, if there is one.
function focusable(root) {
  const tiles = tappable(root);
  const { key, place } = last.get(root) ?? {};
  const same = tiles.find((tile) => tile.dataset.key === key) ?? tiles[Math.min(place, tiles.length - 1)];
  return same ?? tiles.find((tile) => tile.matches(".chosen")) ?? tiles[0];
}

// The tile to which a key leads: up and down to the nearest in the next row.
function led_to(tiles, from, key) {
  const place = tiles.indexOf(from);
  const way = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (!way) return tiles[{ ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: tiles.length - 1 }[key]];
  const down = (tile) => way * (tile.offsetTop - from.offsetTop);
  const aside = (tile) => Math.abs(tile.offsetLeft - from.offsetLeft);
  return tiles.filter((tile) => down(tile) > 0).sort((one, other) => down(one) - down(other) || aside(one) - aside(other))[0];
}

function replace(shown, html) {
  if (shown.html !== html) shown.innerHTML = shown.html = html;
}

// Draws with `draw`. The host passes focus on: in a dialog that of Tab, elsewhere that which a closing dialog gives back.
function draw_keeping_focus(root, draw) {
  const host = root.host;
  const focused = root.activeElement;
  root.addEventListener("focusin", remember);
  host.focus = (options) => {
    focusable(root)?.focus(options);
    // the page may be inert a moment longer than its dialog is there
    if (document.activeElement === document.body && host.closest("[inert]")) requestAnimationFrame(() => host.focus(options));
  };
  draw();
  if (focused && !root.activeElement) host.focus({ preventScroll: true });
  if (!host.closest("[role=dialog]")) return;
  host.tabIndex = tappable(root).length ? 0 : -1;
  host.onkeydown = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const tile = led_to(tappable(root), focusable(root), event.key);
    if (!tile) return;
    event.preventDefault();
    tile.focus();
  };
}
