// The parts of the report: each is one block of compressed JSON in the page.

const known = new Map();

/** Returns a part of the report by name; it is unpacked when first asked for. */
export function part(name) {
  if (!known.has(name)) known.set(name, unpacked(document.getElementById(`part-${name}`).textContent));
  return known.get(name);
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
