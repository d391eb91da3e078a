"""An RTSP server on loopback, GStreamer's own: `rtsp_server.py PORT [FRAMES]` prints its port and serves until it is killed.

It runs in the system's Python, which has GStreamer's bindings (Debian: gir1.2-gst-rtsp-server-1.0 and python3-gi). Paths: /h264 and
/jpeg, snow as a sensor has it; /h264-udp and /jpeg-udp, over UDP alone; /lossy, of which parts get lost; /locked for "user" with the
password "p@ss/1"; and /rack, the pictures 0.jpg, 1.jpg, … of the folder FRAMES again and again.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402  # their versions must be asked for first

SNOW = "videotestsrc is-live=true pattern=snow ! video/x-raw,format=I420,width=320,height=240,framerate=20/1"
H264 = "x264enc tune=zerolatency speed-preset=ultrafast key-int-max=10 ! rtph264pay name=pay0 config-interval=1"
JPEG = "jpegenc ! rtpjpegpay name=pay0"
LOSSY = H264.replace("name=pay0", "pt=96") + " ! identity drop-probability=0.02 name=pay0"
TCP, UDP = GstRtsp.RTSPLowerTrans.TCP, GstRtsp.RTSPLowerTrans.UDP
ANYBODY, USER = "anybody", "user"


def main(port: str, frames: str = "") -> None:
    """Serves."""
    server = GstRtspServer.RTSPServer(address="127.0.0.1", service=port)
    server.set_auth(_passwords())
    mounts = server.get_mount_points()
    mounts.add_factory("/h264", _video(f"{SNOW} ! {H264}"))
    mounts.add_factory("/jpeg", _video(f"{SNOW} ! {JPEG}"))
    mounts.add_factory("/h264-udp", _video(f"{SNOW} ! {H264}", UDP))
    mounts.add_factory("/jpeg-udp", _video(f"{SNOW} ! {JPEG}", UDP))
    mounts.add_factory("/lossy", _video(f"{SNOW} ! {LOSSY}"))
    mounts.add_factory("/locked", _video(f"{SNOW} ! {JPEG}", open_to=USER))
    pictures = f"multifilesrc location={frames}/%d.jpg loop=true caps=image/jpeg,framerate=15/1 ! jpegdec ! videoconvert"
    mounts.add_factory("/rack", _video(f"{pictures} ! {H264}"))
    server.attach(None)
    print(server.get_bound_port(), flush=True)
    GLib.MainLoop().run()


def _video(pipeline: str, transport: GstRtsp.RTSPLowerTrans = TCP | UDP, open_to: str = ANYBODY):
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(f"( {pipeline} )")
    factory.set_shared(True)
    factory.set_protocols(transport)
    for role in (ANYBODY, USER):
        rights = f"{role}, media.factory.access=true, media.factory.construct={str(role in (open_to, USER)).lower()}"
        factory.add_role_from_structure(Gst.Structure.new_from_string(rights))
    return factory


def _passwords():
    """Whoever gives no password is anybody."""
    passwords = GstRtspServer.RTSPAuth()
    passwords.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
    passwords.set_default_token(_token(ANYBODY))
    passwords.add_digest("user", "p@ss/1", _token(USER))
    return passwords


def _token(role: str):
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", role)
    return token


Gst.init(None)
main(*sys.argv[1:])
