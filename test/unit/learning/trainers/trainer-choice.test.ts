import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { Later } from '../../../../src-main/learning/runs/learning-queue.ts';
import { TrainerChoice, type TrainerChoiceOptions } from '../../../../src-main/learning/trainers/trainer-choice.ts';
import type { Offer } from '../../../../src-main/learning/training/remote/remote-trainers.ts';
import { errorOf, lost } from '../../../../src-main/learning/training/remote/why.ts';
import type { Forecast } from '../../../../src-main/learning/training/trainer.ts';
import { QuarryError } from '../../../../src-preload/contract/errors.ts';
import { say } from '../../../../src-preload/contract/saying.ts';
import { SETTINGS } from '../../../support/learning/remote-world.ts';
import { ScriptedTrainer } from '../../../support/learning/scripted-trainer.ts';

const MODEL = { modelPath: '/model.gguf', settings: SETTINGS };
const tooLarge = new QuarryError({
  code: 'OUT_OF_MEMORY',
  message: say('training.doesNotFit', { needed: 4e9, limit: 2e9 }),
  hint: say('training.smallerModel'),
});
const forecast = (seconds: number): Forecast => ({ memory: 1, secondsPerStep: () => seconds });
const able = (name: string, seconds: number): Offer => ({ node: `id of ${name}`, name, forecast: forecast(seconds) });
const unable = (name: string): Offer => ({
  node: name,
  name,
  error: errorOf({ reason: 'no-model' }, name),
});

let which: ReturnType<TrainerChoiceOptions['which']>;
let hasTorch: boolean;
let fits: Record<'here' | 'torch', boolean>;
let offers: Offer[] | undefined;
/** What was done, in order. */
let done: string[];
let asked: unknown[];
let now: number;

beforeEach(() => {
  now = 0;
  [which, hasTorch, fits, offers, done, asked] = ['here', false, { here: true, torch: true }, [], [], []];
});

function choice(): TrainerChoice {
  const made = (what: string) => {
    done.push(what);
    return new ScriptedTrainer();
  };
  return new TrainerChoice({
    which: () => which,
    own: {
      hasTorch: async () => hasTorch,
      async forecast(own) {
        if (fits[own]) return forecast(own === 'torch' ? 4 : 9);
        throw tooLarge;
      },
      create: async (own, work) => made(`${own} in ${work}`),
    },
    others: offers && {
      async offers(...wanted) {
        asked.push(wanted);
        return offers ?? [];
      },
      create: (node) => made(node),
    },
    sha256: async () => 'f'.repeat(64),
    makeRoom: async () => void done.push('made room'),
    work: '/work',
    now: () => now,
    log: pino({ level: 'silent' }),
  });
}

/** What it waits for, in words. */
async function later(): Promise<string> {
  const error = await choice()
    .create(MODEL)
    .catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(Later);
  expect(done).toEqual([]);
  return (error as Later).message;
}

describe('the trainer of a run', () => {
  it('is our own: what others train here gives way to it, once it is really made', async () => {
    await choice().check(MODEL);
    expect(done).toEqual([]);
    await choice().create(MODEL);
    expect(done).toEqual(['made room', 'here in /work']);
    expect(asked).toEqual([]);
  });

  it('is PyTorch where that is set and installed, and waits for it otherwise', async () => {
    which = 'torch';
    expect(await later()).toContain('quarry learn torch install');
    hasTorch = true;
    await choice().create(MODEL);
    expect(done).toEqual(['made room', 'torch in /work']);
  });

  it('is on the paired node that says it is fastest; this computer has nothing to do with it', async () => {
    which = 'paired';
    fits.here = false;
    offers = [able('PC', 8), unable('Old'), able('Server', 3)];
    await choice().create(MODEL);
    expect(done).toEqual(['id of Server']);
    expect(asked).toEqual([['f'.repeat(64), SETTINGS]]);
  });

  it('is found the fastest by a step of a run: four samples of the usual length', async () => {
    which = 'paired';
    const bySamples = { ...able('PC', 0), forecast: { memory: 1, secondsPerStep: (samples: number) => 3 * samples } };
    const byTokens = {
      ...able('Server', 0),
      forecast: { memory: 1, secondsPerStep: (_: number, tokens: number) => tokens / 16 },
    };
    offers = [bySamples, byTokens];
    await choice().create(MODEL);
    expect(done).toEqual(['id of Server']); // 12 seconds and 8; of two samples of 256 tokens it would be 6 and 16
  });

  it('waits where no paired node can do it, and says of each why', async () => {
    which = 'paired';
    expect(await later()).toContain('none is connected');
    offers = undefined;
    expect(await later()).toContain('none is connected');
    offers = [unable('Old'), unable('PC')];
    expect(await later()).toMatch(/Old does not have this very model file\. PC does not have/);
  });
});

describe('another node that fails in the middle', () => {
  it.each([
    ['is lost', lost('PC'), 'PC went away while it trained'],
    [
      'wants its time',
      errorOf({ reason: 'no-time', text: 'It is learning itself.' }, 'PC'),
      'has no time to train now',
    ],
    ['trains another one', errorOf({ reason: 'busy' }, 'PC'), 'is training already'],
  ])('is waited for where it %s', (_, error, why) => {
    const later = choice().laterIfAway(error);
    expect([later instanceof Later, (later as Later).message]).toEqual([true, expect.stringContaining(why)]);
  });

  it.each([
    errorOf({ reason: 'nonsense' }, 'PC'),
    errorOf({ reason: 'failed', code: 'OUT_OF_MEMORY', text: 'no' }, 'PC'),
    new Error('no such file'),
  ])('ends the run otherwise', (error) => {
    expect(choice().laterIfAway(error)).toBe(error);
  });
});

describe('a node that was lost while it trained', () => {
  const noTime = errorOf({ reason: 'no-time', text: '' }, 'Liar');
  beforeEach(() => {
    which = 'paired';
    offers = [able('Liar', 0), able('Server', 3)];
  });

  it('is passed over for a while, however fast it says it is', async () => {
    const chosen = choice();
    await chosen.create(MODEL);
    chosen.laterIfAway(lost('Liar'));
    await chosen.create(MODEL);
    now += 20 * 60_000;
    await chosen.create(MODEL);
    now += 20 * 60_000;
    await chosen.create(MODEL);
    expect(done).toEqual(['id of Liar', 'id of Server', 'id of Server', 'id of Liar']);
  });

  it('is taken where no other can', async () => {
    const chosen = choice();
    await chosen.create(MODEL);
    chosen.laterIfAway(lost('Liar'));
    offers = [able('Liar', 0), unable('Old')];
    await chosen.create(MODEL);
    expect(done).toEqual(['id of Liar', 'id of Liar']);
  });

  it('and one that only wants its time is not passed over, nor for what this computer has lost', async () => {
    const chosen = choice();
    await chosen.create(MODEL);
    chosen.laterIfAway(noTime);
    which = 'here';
    await chosen.create(MODEL);
    chosen.laterIfAway(lost('the GPU'));
    which = 'paired';
    await chosen.create(MODEL);
    expect(done).toEqual(['id of Liar', 'made room', 'here in /work', 'id of Liar']);
  });
});

describe('what does not fit', () => {
  const refusal = async () => {
    const error = await choice()
      .check(MODEL)
      .catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'OUT_OF_MEMORY', message: tooLarge.message });
    return (error as QuarryError).hint;
  };

  it('says what would, and which node could', async () => {
    fits.here = false;
    expect(await refusal()).toBe(tooLarge.hint);
    offers = [able('PC', 8), able('Server', 2.5), unable('Old')];
    expect(await refusal()).toBe(
      `${tooLarge.hint} Your node Server could: some 2.5 s a step. Set learning.trainer to "paired".`,
    );
    hasTorch = true;
    expect(await refusal()).toMatch(/PyTorch, .* 4\.0 s a step\..* Your node Server could/);
    fits.torch = false;
    expect(await refusal()).not.toContain('PyTorch');
  });

  it('says it without them, too', async () => {
    fits.here = false;
    offers = undefined;
    expect(await refusal()).toBe(tooLarge.hint);
  });
});
