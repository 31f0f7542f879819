// Reads photos from the command line, by the reader that phones have: README.md. A headless Chromium unpacks
// them and runs the worker; it is given nothing but these files, from this machine alone.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const SILENT_MS = 60000;  // so long one photo may take
const USAGE = "usage: node read.mjs PHOTO... [--json]";

let child, late, server, profile;
const asked = process.argv.slice(2), json = asked.includes("--json"), photos = asked.filter((one) => !one.startsWith("--"));
if (!photos.length || asked.some((one) => one.startsWith("--") && one !== "--json")) end(USAGE, 2);
for (const photo of photos) if (!existsSync(photo)) end(`${photo} is not there`, 2);
const browser = BROWSERS.flatMap((name) => process.env.PATH.split(delimiter).map((folder) => join(folder, name))).find((one) => existsSync(one));
if (!browser) end("no Chromium is installed: apt install chromium", 2);

profile = mkdtempSync(join(tmpdir(), "photo-"));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => end("", 1));
let told = 0;
server = createServer(answer).listen(0, "127.0.0.1", () => {
  const { port } = server.address();
  child = spawn(browser, [
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${profile}`,
    `http://127.0.0.1:${port}/?many=${photos.length}`,
  ], { stdio: "ignore", detached: true });
  child.on("error", () => end("Chromium does not start", 1));
  wait();
});

function answer(request, response) {
  const [, kind, name] = new URL(request.url, "http://127.0.0.1").pathname.split("/");
  if (kind === "") send(response, "text/html", "<!doctype html><script type=\"module\" src=\"/photo/page.js\"></script>");
  else if (kind === "photo" && /^[a-z]+\.js$/.test(name) && existsSync(join(HERE, name))) send(response, "text/javascript", readFileSync(join(HERE, name)));
  else if (kind === "given" && photos[Number(name)]) send(response, "application/octet-stream", readFileSync(photos[Number(name)]));
  else if (kind === "told" && request.method === "POST") hear(request, response, Number(name));
  else response.writeHead(404).end();
}

function send(response, kind, body) {
  response.writeHead(200, { "Content-Type": kind, "Cache-Control": "no-store" }).end(body);
}

function hear(request, response, number) {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    response.writeHead(204).end();
    say({ photo: photos[number], ...JSON.parse(Buffer.concat(parts).toString("utf8")) });
    told += 1;
    wait();
    if (told === photos.length) end();
  });
}

function say(one) {
  if (json) console.log(JSON.stringify(one));
  else {
    console.log(`${one.photo}: ${one.refused ?? (one.tiles.length ? "" : "no tiles seen")}`);
    const inOrder = [...one.tiles].sort((a, b) => (a.tile < b.tile ? -1 : 1));
    for (const { tile, fit, asks, doubts } of inOrder) console.log(`  ${tile}  fit ${fit.toFixed(2)}${asks ? `  asks: ${doubts.join(", ")}` : ""}`);
  }
}

function wait() {
  clearTimeout(late);
  late = setTimeout(() => end(`${photos[told]} was not read within ${SILENT_MS / 1000} s`, 1), SILENT_MS);
}

function end(why = "", status = 0) {
  if (why) console.error(why);
  clearTimeout(late);
  server?.close();
  const leave = () => {
    if (profile) rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    process.exit(status);
  };
  if (!child) process.exit(status);
  child.once("exit", leave);
  process.kill(-child.pid, "SIGKILL");  // the whole group: some systems start Chromium by a script of their own
}
