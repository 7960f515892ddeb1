import { describe, expect } from 'vitest';
import type { z } from 'zod';
import { damaged, mutated } from '../../src-main/bench/hostile/mutations.ts';
import { exampleOf, oneOf, type Pick } from '../../src-main/bench/hostile/schema-values.ts';
import { lie, type Speaker } from '../../src-main/bench/hostile/speech.ts';
import { receiptFault } from '../../src-main/credits/books/receipt-check.ts';
import { receiptBytes, receiptSchema } from '../../src-main/credits/receipt.ts';
import { pageOfLink } from '../../src-main/desktop/shell/deep-link.ts';
import { GgufError } from '../../src-main/gguf/gguf-error.ts';
import { readGgufHeader } from '../../src-main/gguf/header.ts';
import { modelFacts } from '../../src-main/gguf/model-facts.ts';
import { decodeEntry } from '../../src-main/mesh/scores/score-entry.ts';
import { identityFromSeed, verify } from '../../src-main/mesh/transport/identity.ts';
import { parseCatalogue } from '../../src-main/models/catalogue/catalogue.ts';
import { catalogueFileSchema } from '../../src-main/models/catalogue/catalogue-schema.ts';
import { loadConfig } from '../../src-main/settings/config.ts';
import { configSchema } from '../../src-main/settings/config-schema.ts';
import { SETTINGS } from '../../src-main/settings/config-settings.ts';
import { QuarryError } from '../../src-preload/contract/errors.ts';
import { fuzz } from '../support/fuzz/fuzz.ts';
import {
  arrayEntry,
  ggufBytes,
  numberEntry,
  sourceOf,
  tensor,
  textEntry,
  uint32,
  uint64,
} from '../support/gguf-bytes.ts';

const noWords = () => [];

/** An example of the schema that is honest, twisted or broken, as JSON. */
function jsonLike(schema: z.core.$ZodType, pick: Pick): string {
  const value = exampleOf(schema, pick, noWords);
  const twisted = pick(4) > 0 ? mutated(value, pick) : value;
  const text = JSON.stringify(twisted) ?? '';
  return pick(4) === 3 ? damaged(Buffer.from(text), pick).toString() : text;
}

describe('model files', () => {
  const KEYS = ['general.architecture', 'llama.block_count', 'tokenizer.ggml.tokens', 'general.alignment', 'x'];
  const EDGES = [0, 1, 2 ** 31, 2 ** 32, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n, 7];

  function keyBytes(pick: Pick): Buffer {
    const key = oneOf(KEYS, pick);
    switch (pick(4)) {
      case 0:
        return numberEntry(key, pick(3) === 2 ? 0xffff_ffff : pick(64));
      case 1:
        return textEntry(key, oneOf(['llama', 'bert', '', 'x'.repeat(70_000), '\ud800', '\u001b[2J'], pick));
      case 2:
        return arrayEntry(key, pick(14), oneOf(EDGES, pick), Buffer.alloc(pick(40), pick(256)));
      default:
        return Buffer.concat([textEntry(key, 'v').subarray(0, -9), uint32(pick(14)), uint64(oneOf(EDGES, pick))]);
    }
  }

  function file(pick: Pick): Buffer {
    const some = <T>(make: (pick: Pick) => T): T[] => Array.from({ length: pick(5) }, () => make(pick));
    const made = {
      keys: some(keyBytes),
      tensors: some(() =>
        tensor({
          name: `t${pick(3)}`,
          dimensions: Array.from({ length: pick(6) }, () => oneOf([32, 1, ...EDGES], pick)),
          type: pick(40),
          offset: oneOf([0, 128, ...EDGES], pick),
        }),
      ),
      ...(pick(4) === 3 && { tensorCount: oneOf(EDGES, pick) }),
      ...(pick(4) === 3 && { keyCount: oneOf(EDGES, pick) }),
      data: pick(3) * 128,
    };
    return pick(2) === 0 ? ggufBytes(made) : damaged(ggufBytes(made), pick);
  }

  fuzz(
    'are read or refused with a reason, and no more is read than there is',
    { inputs: 400, msEach: 300 },
    file,
    async (bytes) => {
      let total = 0;
      try {
        modelFacts(await readGgufHeader(sourceOf(bytes, (length) => (total += length))));
      } catch (error) {
        expect(error).toBeInstanceOf(GgufError);
      }
      expect(total).toBeLessThanOrEqual(bytes.length);
    },
  );
});

describe('links', () => {
  const PARTS = [
    'quarry://',
    'models',
    'settings',
    '/',
    'policy',
    '?model=',
    '..',
    '#',
    '%2f',
    '\0',
    '@',
    'javascript:',
    '\ud800',
  ];
  const link = (pick: Pick) => {
    const text = Array.from({ length: pick(8) }, () => oneOf(PARTS, pick)).join('');
    return pick(2) === 0 ? text : damaged(Buffer.from(text.padEnd(pick(400), 'a')), pick).toString();
  };

  fuzz('lead to screens or nowhere', { inputs: 500, msEach: 100 }, link, (text) => {
    expect(pageOfLink(text) ?? '/#/').toMatch(/^\/(\?model=[\w.-]+)?#\/[a-z]*(\/[a-z-]+)?$/);
  });
});

describe('settings', () => {
  /** As somebody might write it: tables with what the schema knows, and then something else. */
  function toml(pick: Pick): string {
    const lines = Array.from({ length: 1 + pick(4) }, () => {
      const { path } = oneOf(SETTINGS, pick);
      const value = mutated(oneOf(['a', 1, true, ['x'], 'http://u:p@h/', -1, 1e300, '127.0.0.1'], pick), pick);
      return `${path} = ${JSON.stringify(value)?.replaceAll('null', '{}')}`;
    });
    const text = lines.join('\n');
    return pick(3) === 2 ? damaged(Buffer.from(text), pick).toString() : text;
  }

  /** The whole of it is read, or one sentence says what is wrong. */
  function read(files: { toml?: string; app?: string; env?: NodeJS.ProcessEnv }): void {
    const readFile = (path: string) => (path.endsWith('.toml') ? files.toml : files.app);
    try {
      configSchema.parse(loadConfig({ flags: { dataDir: '/tmp/q' }, env: files.env ?? {}, readFile }));
    } catch (error) {
      expect(error).toMatchObject({ name: 'QuarryError', code: 'CONFIG_INVALID', message: expect.any(String) });
    }
  }

  fuzz('of a file are read, or refused with a sentence', { inputs: 120, msEach: 300 }, toml, (text) =>
    read({ toml: text }),
  );

  const inApp = (pick: Pick) => {
    const entries = Array.from({ length: 1 + pick(4) }, () => [
      oneOf(SETTINGS, pick).path,
      oneOf(['a', 1, null, { sealed: 'x', for: 'y' }], pick),
    ]);
    const text = JSON.stringify(mutated(Object.fromEntries(entries), pick)) ?? '';
    return pick(3) === 2 ? damaged(Buffer.from(text), pick).toString() : text;
  };
  fuzz('of the app are read, left out or set aside', { inputs: 120, msEach: 300 }, inApp, (text) =>
    read({ app: text }),
  );

  const variables = (pick: Pick): NodeJS.ProcessEnv => ({
    [oneOf(SETTINGS, pick).variable]: String(
      damaged(Buffer.from(oneOf(['1', 'true', 'a,b', '/x', '9'.repeat(400)], pick)), pick),
    ).replaceAll('\0', ''),
  });
  fuzz('of the environment are read, or refused with a sentence', { inputs: 120, msEach: 300 }, variables, (env) =>
    read({ env }),
  );
});

describe('catalogues', () => {
  const text = (pick: Pick) => jsonLike(catalogueFileSchema, pick);

  fuzz('are read, or refused without a word of theirs', { inputs: 250, msEach: 300 }, text, (json) => {
    try {
      parseCatalogue(json, 'catalogue.json');
    } catch (error) {
      expect(error).toBeInstanceOf(QuarryError);
      expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
    }
  });
});

describe('receipts', () => {
  const identity = identityFromSeed(Buffer.alloc(32, 1));
  const speaker: Speaker = { identity, victim: 'a'.repeat(64), others: [], requests: [] };
  const receipt = (pick: Pick) => {
    const made = lie(receiptSchema, speaker, pick);
    return pick(3) === 0 ? made : mutated(made, pick);
  };

  fuzz('are read, void with a reason, or none', { inputs: 250, msEach: 200 }, receipt, (value) => {
    decodeEntry({ key: 'receipt/x', value }, 1);
    const parsed = receiptSchema.safeParse(value);
    if (!parsed.success) return;
    expect(receiptBytes(parsed.data.body).length).toBeLessThan(10_000);
    expect(['string', 'object', 'undefined']).toContain(typeof receiptFault(parsed.data, verify));
  });
});
