/** What a text says as JSON; undefined where it is none: no shape that is asked of it fits that. Its size is to be looked at before. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // it is no JSON
  }
}
