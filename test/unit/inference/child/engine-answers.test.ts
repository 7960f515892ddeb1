import { describe, expect, it } from 'vitest';
import { EngineAnswers } from '../../../../src-main/inference/child/engine-answers.ts';
import type { RequestEvent } from '../../../../src-main/inference/engine-protocol.ts';

const piece = (text: string) => ({ text, tokens: 1, logprobs: [] });
const counted = { kind: 'count', tokens: 1 } as const;

function setUp() {
  const sent: RequestEvent[][] = [];
  const clock = { now: 0 };
  const answers = new EngineAnswers(
    (events) => sent.push(events),
    () => clock.now,
  );
  return { answers, sent, clock };
}

describe('EngineAnswers', () => {
  it('sends the first piece at once and gathers later ones', () => {
    const { answers, sent, clock } = setUp();
    const open = answers.open(1);
    for (const text of ['a', 'b', 'c']) {
      answers.chunk(open, piece(text));
      answers.settle();
      clock.now += 10;
    }
    expect(sent).toEqual([[{ type: 'chunk', id: 1, text: 'a', tokens: 1 }]]);
    answers.chunk(open, piece('d'));
    answers.settle();
    expect(sent[1]).toEqual([{ type: 'chunk', id: 1, text: 'bcd', tokens: 3 }]);
  });

  it('sends what has gathered before the end, and the end at once', () => {
    const { answers, sent } = setUp();
    const open = answers.open(1);
    answers.chunk(open, piece('a'));
    answers.settle();
    answers.chunk(open, piece('b'));
    answers.done(open, counted);
    answers.settle();
    expect(sent[1]?.map(({ type }) => type)).toEqual(['chunk', 'done']);
  });

  it('says that a request begins before anything else happens', () => {
    const { answers, sent } = setUp();
    answers.started(answers.open(1));
    expect(sent).toEqual([[{ type: 'started', id: 1 }]]);
  });

  it('has one last word for each request, and none for a cancelled one', () => {
    const { answers, sent } = setUp();
    const [first, second] = [answers.open(1), answers.open(2)];
    answers.fail(first, new Error('broken'));
    answers.done(first, counted);
    answers.cancel(2);
    answers.done(second, counted);
    answers.settle();
    expect(sent).toEqual([[expect.objectContaining({ type: 'failed', id: 1 })]]);
  });

  it('cancels the task of a request, also one that comes later', () => {
    const { answers } = setUp();
    const open = answers.open(1);
    answers.cancel(1);
    let cancelled = false;
    open.hold({
      cancel: () => {
        cancelled = true;
      },
    });
    expect([open.ended, cancelled]).toEqual([true, true]);
  });
});
