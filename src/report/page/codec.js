// From the bytes in the page to numbers and words. docs/report.md describes the sections.

const EXACT_AMI = 20000; // merges at the end of the tree whose AMI is kept exactly

function base64Bytes(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text.trim());
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function gunzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class Varints {
  constructor(bytes) {
    this.bytes = bytes;
    this.place = 0;
  }
  get atEnd() {
    return this.place >= this.bytes.length;
  }
  next() {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.bytes[this.place++];
      if (byte === undefined) throw new Error("the data of this page ends too early");
      if (byte < 128) return value + byte * factor;
      value += (byte - 128) * factor;
      factor *= 128;
    }
  }
  // A difference: even numbers are 0, 1, 2..., odd ones -1, -2...
  signed() {
    const value = this.next();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

function splitSections(bytes) {
  const text = new TextDecoder("latin1");
  if (text.decode(bytes.subarray(0, 8)) !== "firthpg1") throw new Error("the data of this page is of another version");
  const sections = new Map();
  let place = 8;
  while (place < bytes.length) {
    const name = text.decode(bytes.subarray(place, place + 4));
    const reader = new Varints(bytes.subarray(place + 4));
    const size = reader.next();
    place += 4 + reader.place;
    sections.set(name, bytes.subarray(place, place + size));
    place += size;
  }
  return sections;
}

function utf8(bytes) {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

function jsonSection(sections, name) {
  return sections.has(name) ? JSON.parse(utf8(sections.get(name))) : null;
}

// Undoes byte planes: all first bytes, all second bytes...; each value is XORed with the one before it.
function planes(bytes, width, count) {
  const result = new Uint8Array(width * count); // big-endian values
  for (let plane = 0; plane < width; plane++) {
    let before = 0;
    for (let i = 0; i < count; i++) {
      before ^= bytes[plane * count + i];
      result[i * width + plane] = before;
    }
  }
  return new DataView(result.buffer);
}

function readAmi(sections, merges) {
  const ami = new Float64Array(merges);
  const exact = Math.min(merges, EXACT_AMI);
  const rounded = merges - exact;
  if (merges === 0) return ami;
  const first = planes(sections.get("AMIR"), 4, rounded);
  for (let i = 0; i < rounded; i++) ami[i] = first.getFloat32(4 * i);
  const last = planes(sections.get("AMIX"), 8, exact);
  for (let i = 0; i < exact; i++) ami[rounded + i] = last.getFloat64(8 * i);
  return ami;
}

function readNumbers(bytes, count) {
  const reader = new Varints(bytes);
  const numbers = new Uint32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = reader.next();
  return numbers;
}

// For each node four lists of [place, count]: classes before and after it, words before and after it.
function readNeighbours(bytes) {
  const reader = new Varints(bytes);
  const nodes = [];
  while (!reader.atEnd) {
    const lists = [];
    for (let list = 0; list < 4; list++) {
      const items = [];
      for (let left = reader.next(); left > 0; left--) items.push([reader.next(), reader.next()]);
      lists.push(items);
    }
    nodes.push(lists);
  }
  return nodes;
}
