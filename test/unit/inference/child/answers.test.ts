import { describe, expect, it } from 'vitest';
import { Answers } from '../../../../src-main/inference/child/answers.ts';
import type { RequestEvent } from '../../../../src-main/inference/engine-protocol.ts';

const piece = (text: string) => ({ text, tokens: 1, logprobs: [] });
const counted = { kind: 'count', tokens: 1 } as const;

function setUp() {
  const sent: RequestEvent[][] = [];
  const clock = { now: 0 };
  const answers = new Answers(
    (events) => sent.push(events),
    () => clock.now,
  );
  return { answers, sent, clock };
}

describe('Answers', () => {
  it('sends the first piece at once and gathers later ones', () => {
    const { answers, sent, clock } = setUp();
    const open = answers.open(1);
    for (const text of ['a', 'b', 'c']) {
      open.chunk(piece(text));
      answers.settle();
      clock.now += 10;
    }
    expect(sent).toEqual([[{ type: 'chunk', id: 1, text: 'a', tokens: 1 }]]);
    open.chunk(piece('d'));
    answers.settle();
    expect(sent[1]).toEqual([{ type: 'chunk', id: 1, text: 'bcd', tokens: 3 }]);
  });

  it('sends what has gathered before the end, and the end at once', () => {
    const { answers, sent } = setUp();
    const open = answers.open(1);
    open.chunk(piece('a'));
    answers.settle();
    open.chunk(piece('b'));
    open.done(counted);
    answers.settle();
    expect(sent[1]?.map(({ type }) => type)).toEqual(['chunk', 'done']);
  });

  it('says that a request begins before anything else happens', () => {
    const { answers, sent } = setUp();
    answers.open(1).started();
    expect(sent).toEqual([[{ type: 'started', id: 1 }]]);
  });

  it('has one last word for each request, and none for a cancelled one', () => {
    const { answers, sent } = setUp();
    const [first, second] = [answers.open(1), answers.open(2)];
    first.fail(new Error('broken'));
    first.done(counted);
    answers.cancel(2);
    second.done(counted);
    answers.settle();
    expect(sent).toEqual([[expect.objectContaining({ type: 'failed', id: 1 })]]);
  });

  it('is over when it is cancelled, and tells nobody', () => {
    const { answers, sent } = setUp();
    const open = answers.open(1);
    answers.cancel(1);
    open.fail(new Error('too late'));
    answers.settle();
    expect([open.over, sent]).toEqual([true, []]);
  });

  it('knows what took how long', () => {
    const { answers, clock } = setUp();
    const open = answers.open(1);
    clock.now = 5;
    open.started();
    clock.now = 30;
    open.token();
    clock.now = 40;
    open.token();
    clock.now = 100;
    expect(open.figures).toEqual({ cachedTokens: 0, queuedMs: 5, firstTokenMs: 30, totalMs: 100 });
  });
});
