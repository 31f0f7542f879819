// The live picture of the back camera, which browsers give to encrypted pages only. The camera is on no longer
// than its picture is seen.

const WISHED = { facingMode: { ideal: "environment" }, width: { ideal: 4032 }, height: { ideal: 3024 } };
const LARGEST = { imageWidth: 4032, imageHeight: 3024 };
const PHOTO_MS = 5000;  // some phones never answer takePhoto
const JPEG = 0.95;
const WHY = { NotAllowedError: "photo.camera-refused", SecurityError: "photo.camera-refused", NotFoundError: "photo.camera-none", OverconstrainedError: "photo.camera-none" };

export class Camera {
  // `finder` gets the picture; `on` is called once it shows, and `off`, unless somebody else stopped the camera,
  // with the key of the sentence that says why it is gone.
  constructor(finder, on, off) {
    Object.assign(this, { on, off, stream: null, isOver: false });
    this.video = document.createElement("video");
    Object.assign(this.video, { muted: true, playsInline: true });
    finder.append(this.video);
    this.hides = () => document.hidden && this.fail("photo.camera-off");
    document.addEventListener("visibilitychange", this.hides);
    this.sees = new ResizeObserver(() => this.stream && !finder.getClientRects().length && this.fail("photo.camera-off"));
    this.sees.observe(finder);
    this.start();
  }

  async start() {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: WISHED });
      this.stream = stream;
      for (const track of stream.getTracks()) track.addEventListener("ended", () => this.fail("photo.camera-busy"));
      if (this.isOver) this.stop();  // it was closed while the browser asked
      this.video.srcObject = this.isOver ? null : stream;
      await this.video.play();
      if (!this.isOver) this.on();
    } catch (fault) {
      this.fail(WHY[fault.name] ?? "photo.camera-busy");
    }
  }

  // The photo, as large as the camera takes one, and stops the camera; null: it was stopped before.
  async photo() {
    let photo = null;
    try {
      photo = await Promise.race([this.still(), new Promise((done) => setTimeout(done, PHOTO_MS, null))]);
    } catch { /* then as in the picture */ }
    if (this.isOver) return null;
    photo = photo ?? await this.frame();
    this.stop();
    return photo;
  }

  async still() {
    if (!window.ImageCapture) return null;
    const camera = new ImageCapture(this.stream.getVideoTracks()[0]), can = await camera.getPhotoCapabilities(), size = {};
    for (const [side, most] of Object.entries(LARGEST)) if (can[side]?.max) size[side] = Math.min(most, can[side].max);
    return camera.takePhoto(size);
  }

  frame() {
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: this.video.videoWidth, height: this.video.videoHeight });
    canvas.getContext("2d").drawImage(this.video, 0, 0);
    return new Promise((done) => canvas.toBlob(done, "image/jpeg", JPEG));
  }

  fail(why) {
    if (this.isOver) return;
    this.stop();
    this.off(why);
  }

  stop() {
    this.isOver = true;
    document.removeEventListener("visibilitychange", this.hides);
    this.sees.disconnect();
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.video.srcObject = null;
    this.video.remove();
  }
}
