import { expect, it } from 'vitest';
import { chooseQuantisation } from '../../../../src-main/models/hub/choice.ts';
import type { HubQuantisation } from '../../../../src-preload/contract/hub.ts';

function quantisation(name: string, more: Partial<HubQuantisation> = {}): HubQuantisation {
  return {
    ...{ name, file: `${name}.gguf`, model: name, bytes: 5, pieces: 1, sha256: null },
    ...{ installed: false, fit: null, recommended: false, ...more },
  };
}
const ALL = [quantisation('Q4_0'), quantisation('Q8_0', { recommended: true }), quantisation('F16', { pieces: 3 })];
const choose = (wanted?: string, all = ALL) => chooseQuantisation('a/b', all, wanted);

it('chooses by quantisation, by file, or what suits this computer', () => {
  expect(choose('q4_0').name).toBe('Q4_0');
  expect(choose('Q8_0.gguf').name).toBe('Q8_0');
  expect(choose().name).toBe('Q8_0');
});

it('says why it cannot be chosen, and of what', () => {
  const refused = (key: string, names: string) =>
    expect.objectContaining({
      code: 'BAD_REQUEST',
      field: 'quantisation',
      said: expect.objectContaining({
        message: expect.objectContaining({ key }),
        hint: { key: 'hub.chooseOf', params: { names } },
      }),
    });
  expect(() => choose('Q9')).toThrow(refused('hub.noSuchFile', 'Q4_0, Q8_0'));
  expect(() => choose('F16')).toThrow(refused('hub.inPieces', 'Q4_0, Q8_0'));
  expect(() => choose(undefined, [quantisation('Q4_0')])).toThrow(refused('hub.nothingFits', 'Q4_0'));
  const two = [quantisation('Q4_0'), quantisation('Q4_0', { file: 'other.gguf' })];
  expect(() => choose('Q4_0', two)).toThrow(refused('hub.several', 'Q4_0.gguf, other.gguf'));
});

it('is told what to do with a repository that has nothing to use', () => {
  const key = (all: HubQuantisation[]) => {
    try {
      return choose(undefined, all);
    } catch (error) {
      return error;
    }
  };
  expect(key([])).toMatchObject({ code: 'MODEL_NOT_FOUND', said: { message: { key: 'hub.noFiles' } } });
  const pieces = [quantisation('F16', { pieces: 2 })];
  expect(key(pieces)).toMatchObject({ code: 'MODEL_NOT_FOUND', said: { message: { key: 'hub.allInPieces' } } });
});
