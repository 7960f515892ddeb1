import type { Token } from 'node-llama-cpp';
import { describe, expect, it } from 'vitest';
import type { AdapterWeights } from '../../../../../src-main/inference/child/loop/addon.ts';
import { PromptPace } from '../../../../../src-main/inference/child/loop/batch-plan.ts';
import type { Lane, Planned } from '../../../../../src-main/inference/child/loop/lane.ts';
import { learnPace, RoundPlanner } from '../../../../../src-main/inference/child/loop/round-planner.ts';
import type { SequenceTask } from '../../../../../src-main/inference/child/loop/sequence-task.ts';

const MS_PER_TOKEN = 10;

/** A machine that reads 100 tokens a second, and takes a millisecond for a round without any. */
class Rounds {
  readonly lanes: Lane[] = [];
  readonly pace = new PromptPace();
  readonly planner: RoundPlanner;
  nowMs = 1_000_000;
  /** Whose tokens are in the last batch, in their order. */
  order: number[] = [];

  constructor(batchSize = 512) {
    this.pace.learn(100, 100 * MS_PER_TOKEN);
    this.planner = new RoundPlanner(batchSize, () => this.nowMs);
  }

  comes(tokens: number, adapter?: AdapterWeights): Lane {
    const [id, pace] = [this.lanes.length, new PromptPace(this.pace)];
    const task = { tokens: Array<Token>(tokens).fill(1 as Token), logitsFrom: tokens - 1, ended: false, adapter };
    const sequence = { id, tokens: [], adapter: undefined, asker: undefined, busy: true, lastUsed: 0 };
    const lane: Lane = {
      task: task as unknown as SequenceTask,
      ...{ sequence, pace, served: false, begun: false, toKeep: undefined, readMs: 0 },
    };
    this.lanes.push(lane);
    return lane;
  }

  /** How many tokens of each are in the next batch; who begins has one more to say. */
  next(): number[] {
    const { planned, turn } = this.planner.next(this.lanes);
    this.order = planned.map(({ lane }) => lane.sequence.id);
    const count = planned.reduce((sum, { item }) => sum + item.tokens.length, 0);
    const ms = Math.max(1, count * MS_PER_TOKEN);
    this.nowMs += ms;
    if (turn.kind === 'prompt') learnPace(planned, turn, ms);
    for (const each of planned) take(each);
    return this.lanes.map((lane) => planned.find((each) => each.lane === lane)?.item.tokens.length ?? 0);
  }
}

function take({ lane: { task, sequence }, item }: Planned): void {
  sequence.tokens.push(...item.tokens);
  if (sequence.tokens.length === task.tokens.length) (task.tokens as Token[]).push(1 as Token);
}

describe('answers that are held for the prompts of others', () => {
  it('never make a batch without a token, not either where a short prompt has just its end and a token before it', () => {
    const rounds = new Rounds();
    rounds.comes(300);
    expect(rounds.next()).toEqual([128]);
    // It overtakes the long one, which could be read to its end while this is held.
    rounds.comes(2);
    expect(rounds.next()).toEqual([0, 1]);
  });

  it('wait with their last token until all are read, and then say theirs together', () => {
    const rounds = new Rounds();
    rounds.comes(80);
    rounds.comes(80);
    expect([rounds.next(), rounds.next(), rounds.next()]).toEqual([
      [79, 48],
      [0, 32],
      [1, 1],
    ]);
  });

  it('are not held beside an answer that runs, be it another adapter’s', () => {
    const rounds = new Rounds();
    rounds.comes(10, { filePath: 'a', dispose: async () => undefined });
    expect(rounds.next()).toEqual([10]);
    rounds.comes(8);
    rounds.comes(8);
    expect(rounds.next()).toEqual([0, 8, 0]);
  });
});

describe('a batch', () => {
  it('has sequences in the order of their ids, whoever overtakes', () => {
    const rounds = new Rounds();
    rounds.comes(300);
    rounds.next();
    rounds.comes(30);
    rounds.comes(20);
    rounds.next();
    expect(rounds.order).toEqual([1, 2]);
  });

  it('is shared by its prompts, each with the time of its tokens', () => {
    const rounds = new Rounds();
    rounds.comes(30);
    rounds.comes(10);
    expect(rounds.next()).toEqual([30, 10]);
    expect(rounds.lanes.map(({ readMs }) => readMs)).toEqual([300, 100]);
  });

  it('ends where what is to be kept ends', () => {
    const rounds = new Rounds();
    const lane = rounds.comes(60);
    lane.toKeep = { tokens: lane.task.tokens.slice(0, 40) } as unknown as NonNullable<Lane['toKeep']>;
    expect(rounds.next()).toEqual([40]);
    lane.toKeep = undefined;
    expect(rounds.next()).toEqual([20]);
  });
});
