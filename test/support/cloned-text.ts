/**
 * What a message port clones, as text, for channels that carry text alone: arrays of 32-bit numbers and maps included. Each function stands by itself: pages are given
 * its source.
 */
export function toText(value: unknown): string {
  return JSON.stringify(value, (_key, each) => {
    if (each instanceof Map) return { $map: [...each] };
    if (!(each instanceof Float32Array)) return each;
    const bytes = new Uint8Array(each.buffer, each.byteOffset, each.byteLength);
    let text = '';
    for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
    return { $floats: btoa(text) };
  });
}

export function fromText(text: string): unknown {
  return JSON.parse(text, (_key, each) => {
    if (each?.$map) return new Map(each.$map);
    if (each?.$floats === undefined) return each;
    return new Float32Array(Uint8Array.from(atob(each.$floats), (character) => character.charCodeAt(0)).buffer);
  });
}
