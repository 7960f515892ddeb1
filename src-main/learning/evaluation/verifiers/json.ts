import { say } from '../../../../src-preload/contract/saying.ts';
import { jsonExcess } from '../../../base/json-shape.ts';
import { parsedJson } from '../../../base/json-text.ts';
import { SchemaCheck } from '../../../inference/tools/schema-check.ts';
import { plain, type Verifier } from './verifier.ts';

/** A fence around all of the answer is how models write JSON. */
const FENCED = /^```(?:json)?[^\S\n]*\n([\s\S]*)\n```$/;

/**
 * Whether an answer is JSON, and as a schema wants it. A schema's patterns may take any time: so it is held to it in a thread that ends after 1.5
 * seconds.
 * @param schema JSON schema 2020-12. Default: any JSON
 */
export function jsonVerifier(schema?: object): Verifier {
  return {
    async check({ text }) {
      const json = FENCED.exec(text.trim())?.[1] ?? text.trim();
      if (jsonExcess(Buffer.from(json)) !== undefined || parsedJson(json) === undefined) {
        return plain(false, say('evaluation.json.none'));
      }
      if (!schema) return plain(true, say('evaluation.json.fits'));
      const fits = await fitsSchema(schema, json);
      return fits ? plain(true, say('evaluation.json.fits')) : half(say('evaluation.json.otherShape'));
    },
  };
}

/** JSON of another shape is nearer to what is wanted than none. */
function half(why: ReturnType<typeof say>) {
  return { score: 0.5, passes: false, why };
}

async function fitsSchema(schema: object, args: string): Promise<boolean> {
  const check = new SchemaCheck();
  try {
    return (await check.fit([{ schema, args }]))[0] ?? false;
  } finally {
    await check.close();
  }
}
