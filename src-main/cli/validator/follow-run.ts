import type { RunStateView } from '../../../src-preload/contract/validator-run.ts';
import { foreignLine } from '../../base/foreign-text.ts';
import type { NodeClient } from '../terminal/node-client.ts';
import { counted, type Output } from '../terminal/output.ts';
import { Remark } from '../terminal/progress.ts';
import { NOBODY_TEXT, NobodyToAsk, type Patience } from './nobody-to-ask.ts';
import { outcomesText } from './outcomes-text.ts';

export interface Following {
  /** It ends once there are so many answers. */
  most: number;
  output: Output;
  signal: AbortSignal;
  /** Told of the last state, however it ends; not where nobody was there to ask. */
  onEnd: (last: RunStateView) => void;
  patience?: Patience | undefined;
}

/** Tells how a run goes until there are as many answers as are wanted. @throws NO_WORKER where the patience with nobody to ask is at its end */
export async function followRun(
  validator: Pick<NodeClient['validator'], 'run'>,
  { most, output, signal, onEnd, patience }: Following,
): Promise<void> {
  let last: RunStateView | undefined;
  const remark = new Remark(output);
  using nobody = new NobodyToAsk(() => {
    remark.end();
    if (!output.json) output.note(NOBODY_TEXT);
  }, patience);
  try {
    const until = AbortSignal.any([signal, nobody.signal]);
    for await (const state of await validator.run(undefined, { signal: until })) {
      last = state;
      nobody.look(state);
      remark.show(progressLine(state));
      if (state.answered >= most) return;
    }
  } finally {
    remark.end();
    nobody.signal.throwIfAborted();
    if (last) onEnd(last);
  }
}

/** How a run stands, in one line. */
export function progressLine({ inFlight, minerCount, atBound, fault, ...state }: RunStateView): string {
  const bound = atBound > 0 ? `, ${atBound} asked as often as validator.perHour allows` : '';
  const miners = `${inFlight} under way, ${counted(minerCount, 'miner')}${bound}`;
  return foreignLine(`${outcomesText(state)}; ${miners}${fault ? ` — ${fault.text}` : ''}`);
}
