import { afterEach, expect, it } from 'vitest';
import { byRules } from '../../../../../src-main/subnets/omega/focus/by-rules.ts';
import type { FocusFacts, Known } from '../../../../../src-main/subnets/omega/focus/rules/facts.ts';
import { RulesScorer } from '../../../../../src-main/subnets/omega/focus/rules-scorer.ts';
import { factsOf, HONEST } from '../../../../support/focus-zoo.ts';

const [writing, other] = HONEST;
if (!writing || !other) throw new Error('The zoo is empty.');
const never = new AbortController().signal;

let scorer = new RulesScorer();
afterEach(() => scorer.close());

async function* each(known: readonly Known[]): AsyncGenerator<Known, void, undefined> {
  yield* known;
}

const asked = ({ known = [], ...facts }: FocusFacts) => ({ ...facts, known: each(known) });

/** Each second another picture, in an order of its own: as many changes as are compared, and none in common. */
function long(title: string): Known {
  const { seconds } = factsOf({ name: title, second: () => ({ motion: 3 }) }, { minutes: 90 });
  return { title, seconds: seconds.map((one, at) => ({ ...one, picture: at % 2 ? 'f'.repeat(16) : '0'.repeat(16) })) };
}

it('says in a thread what the rules say', async () => {
  const facts = factsOf(writing, { minutes: 5 });
  const known = [
    { title: 'Earlier', seconds: facts.seconds },
    { title: 'Another', seconds: factsOf(other).seconds },
  ];
  expect(await scorer.score(asked({ ...facts, known }), never)).toEqual(byRules({ ...facts, known }));
  expect(await scorer.score(asked(facts), never)).toEqual(byRules(facts));
});

it('leaves the node free for others meanwhile', async () => {
  const facts = { ...factsOf(writing, { minutes: 90 }), seconds: long('own').seconds };
  let [turns, isRead] = [0, false];
  async function* known(): AsyncGenerator<Known, void, undefined> {
    for (let at = 0; at < 12; at++) yield long(`earlier ${at}`);
    isRead = true;
  }
  const counting = setInterval(() => (turns += Number(isRead)), 1);
  await scorer.score({ ...facts, known: known() }, never);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(10);
});

it('ends one that takes too long, one that nobody wants any more, and goes on with the next', async () => {
  const facts = { ...factsOf(writing), known: [long('one'), long('two')] };
  scorer = new RulesScorer({ longestMs: 1 });
  await expect(scorer.score(asked(facts), never)).rejects.toMatchObject({
    said: { message: { key: 'focusScore.tooLong' } },
  });
  scorer = new RulesScorer();
  const off = new AbortController();
  const stopped = expect(scorer.score(asked(facts), off.signal)).rejects.toThrow('nobody wants it');
  const next = scorer.score(asked(facts), never);
  off.abort(new Error('nobody wants it'));
  await stopped;
  expect(await next).toEqual(byRules(facts));
});

it('tells what reading the known ones throws', async () => {
  async function* broken(): AsyncGenerator<Known, void, undefined> {
    yield long('one');
    throw new Error('the database is gone');
  }
  await expect(scorer.score({ ...factsOf(writing), known: broken() }, never)).rejects.toThrow('the database is gone');
});
