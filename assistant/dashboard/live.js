// The camera on the page: its newest picture goes to the server, what is read in it lies over the picture.
//
// One picture is on its way at a time: the next is taken when the last one is answered, so that none ever queue.

const LONGEST_WAIT_MS = 5000;
const PAUSE_MS = 500; // before the next picture when the last could not be read: it may be answered at once
const QUALITY = 0.85; // of the JPEG; below .8 the colours of small digits run

class Live {
  constructor(root) {
    const part = (name) => root.querySelector(`.${name}`);
    this.stage = part("stage");
    this.video = part("video");
    this.image = part("image");
    this.over = part("over");
    this.notice = part("notice");
    this.again = part("again");
    this.freeze = part("freeze");
    this.turn = part("turn");
    this.hint = part("hint");
    this.drawn = part("drawn");
    this.shown = part("shown");
    this.dispute = part("dispute");
    this.canvas = document.createElement("canvas");
    this.facing = "environment"; // a phone's rear camera first
    this.wait = 0;
    this.again.onclick = () => this.open();
    this.turn.onclick = () => {
      this.facing = this.facing === "environment" ? "user" : "environment";
      this.open();
    };
    this.freeze.onclick = () => this.read && this.hand_over();
    this.dispute.onclick = () => this.disputed(true);
    this.plugged = () => this.failed && this.open();
    navigator.mediaDevices?.addEventListener("devicechange", this.plugged);
    this.looked_at = () => document.visibilityState === "visible" && this.socket && this.keep_awake(this.opened);
    document.addEventListener("visibilitychange", this.looked_at);
  }

  // Takes over what the page says: `data` is what `live_view.py` sends, `frozen` tells it of a picture to correct, `disputed` that the
  // hand shown on the table is to be judged.
  show(data, frozen, disputed) {
    const before = this.data;
    this.data = data;
    this.frozen = frozen;
    this.disputed = disputed;
    this.dispute.textContent = data.words.dispute;
    this.again.textContent = data.words.again;
    this.freeze.textContent = data.words.freeze;
    this.turn.title = this.turn.ariaLabel = data.words.turn;
    if (["source", "table"].some((camera) => before?.settings[camera] !== data.settings[camera])) this.open();
    else if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(data.settings));
  }

  // Starts anew: with the camera of this device, or with one that the server opens.
  async open() {
    this.close();
    const opened = (this.opened = {}); // what was asked for before it is of no interest when its answer comes
    const local = this.data.settings.source === null;
    this.video.hidden = !local;
    this.image.hidden = local;
    this.turn.hidden = true;
    this.showing(false);
    if (local) {
      if (!navigator.mediaDevices) return this.say("insecure");
      this.say("asking", false);
      let stream;
      try {
        const size = { width: { ideal: this.data.side }, height: { ideal: (this.data.side * 9) / 16 } };
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: this.facing, ...size } });
      } catch (problem) {
        if (opened === this.opened) this.say(problem.name in this.data.words ? problem.name : "unusable");
        return;
      }
      if (opened !== this.opened) return stop(stream);
      this.stream = stream;
      stream.getVideoTracks()[0].onended = () => {
        this.close();
        this.say("unplugged");
      };
      this.video.srcObject = stream;
      this.showing(true);
      this.video.play().catch(() => {});
      const cameras = (await navigator.mediaDevices.enumerateDevices()).filter((device) => device.kind === "videoinput");
      if (opened !== this.opened) return;
      this.turn.hidden = cameras.length < 2;
    }
    this.say("starting", false);
    this.connect(opened);
    await this.keep_awake(opened);
  }

  // A phone on its stand must not fall asleep; a browser forgets that whenever the page is out of sight.
  async keep_awake(opened) {
    const awake = await navigator.wakeLock?.request("screen").catch(() => null);
    if (opened !== this.opened) return awake?.release();
    this.awake?.release();
    this.awake = awake;
  }

  connect(opened) {
    const socket = (this.socket = new WebSocket(new URL(this.data.path, location.href.replace(/^http/, "ws"))));
    socket.binaryType = "blob";
    socket.onopen = () => {
      socket.send(JSON.stringify(this.data.settings));
      this.next(socket);
    };
    socket.onmessage = ({ data }) => {
      if (data instanceof Blob) this.picture = data;
      else this.answered(socket, JSON.parse(data));
    };
    socket.onclose = () => {
      if (opened !== this.opened) return;
      this.clear();
      this.say("lost", false);
      this.wait = Math.min(LONGEST_WAIT_MS, 2 * this.wait + 250);
      setTimeout(() => opened === this.opened && this.connect(opened), this.wait);
    };
  }

  // Sends the camera's next picture, or asks the server for its camera's. A camera that stands still sends none.
  next(socket) {
    if (this.data.settings.source !== null) return socket.send("next");
    const send = () => {
      const { videoWidth: width, videoHeight: height } = this.video;
      if (socket.readyState !== WebSocket.OPEN) return;
      if (!width) return this.next(socket);
      const scale = Math.min(1, this.data.side / Math.max(width, height));
      this.canvas.width = Math.round(width * scale);
      this.canvas.height = Math.round(height * scale);
      this.canvas.getContext("2d").drawImage(this.video, 0, 0, this.canvas.width, this.canvas.height);
      this.canvas.toBlob((picture) => {
        this.picture = picture;
        if (socket.readyState === WebSocket.OPEN) socket.send(picture);
      }, "image/jpeg", QUALITY);
    };
    if (this.video.requestVideoFrameCallback) this.video.requestVideoFrameCallback(send);
    else requestAnimationFrame(send);
  }

  answered(socket, answer) {
    if (socket !== this.socket) return;
    this.wait = 0;
    if (answer.problem) {
      this.clear();
      this.notice.textContent = answer.problem;
      this.notice.hidden = false;
      if (!this.image.hidden) this.showing(false);
      setTimeout(() => this.next(socket), PAUSE_MS);
    } else {
      this.showing(true);
      this.notice.hidden = this.again.hidden = true;
      this.read = this.picture;
      this.seen = { discards: answer.discards, indicator: answer.indicator };
      this.freeze.disabled = false;
      if (!this.image.hidden) {
        URL.revokeObjectURL(this.image.src);
        this.image.src = URL.createObjectURL(this.read);
      }
      this.over.innerHTML = answer.outlines;
      this.hint.textContent = answer.hint;
      this.drawn.classList.toggle("stale", !answer.held);
      if (answer.verdict !== null) {
        this.drawn.innerHTML = answer.verdict;
        if (answer.held) navigator.vibrate?.(40); // felt on a phone: the eyes are on the rack
      }
      if (answer.shown !== null) {
        this.shown.innerHTML = answer.shown;
        this.dispute.hidden = !answer.shown;
        if (answer.shown) navigator.vibrate?.(40);
      }
      this.next(socket);
    }
  }

  hand_over() {
    const reader = new FileReader();
    const seen = this.seen;
    reader.onload = () => this.frozen({ picture: reader.result, ...seen });
    reader.readAsDataURL(this.read);
  }

  // Says how the camera is; `failed` when it needs the user.
  say(word, failed = true) {
    this.failed = failed;
    this.notice.textContent = this.data.words[word];
    this.notice.hidden = false;
    this.again.hidden = !failed;
    if (failed) this.showing(false);
  }

  // Says whether there is a picture to be looked at, and so one to freeze.
  showing(is) {
    this.stage.hidden = this.freeze.hidden = !is;
  }

  clear() {
    this.read = null;
    this.freeze.disabled = this.dispute.hidden = true;
    this.over.innerHTML = this.drawn.innerHTML = this.shown.innerHTML = this.hint.textContent = "";
  }

  // Leaves the camera and the server.
  close() {
    this.opened = null;
    stop(this.stream);
    this.socket?.close();
    this.awake?.release();
    this.stream = this.socket = this.video.srcObject = null;
    this.clear();
  }

  leave() {
    this.close();
    navigator.mediaDevices?.removeEventListener("devicechange", this.plugged);
    document.removeEventListener("visibilitychange", this.looked_at);
  }
}

function stop(stream) {
  stream?.getTracks().forEach((track) => {
    track.onended = null;
    track.stop();
  });
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".board");
  root.live ??= new Live(root);
  root.live.show(
    data,
    (picture) => setTriggerValue("frozen", picture),
    (asked) => setTriggerValue("disputed", asked),
  );
  return () => {
    root.live?.leave();
    root.live = null;
  };
}
