import type { Proof } from './one-proof.ts';

/** What is to be reached (issue): see each column. */
const GOALS = ['≥ +60', '≥ 0.95', '', 'none', '≤ 12', '≤ 90', '≤ 2,000', '', '≤ 1,000', 'yes, 0'];
const HEAD = [
  ...['lesson', 'seeds', 'held out, points', 'facts, ratio', 'tasks', 'alarms', 'feedbacks', 's a feedback'],
  ...['trainer, MB', 'engine, MB', 'undo, ms', 'same bytes, nats off', 'runs accepted'],
];

/** All that was proven, as Markdown: medians, and in brackets the least and the most. */
export function reportOf(proofs: readonly Proof[]): string {
  const lessons = [...new Set(proofs.map(({ lesson }) => lesson))];
  const rows = lessons.map((lesson) => row(proofs.filter((proof) => proof.lesson === lesson)));
  const lines = [HEAD, HEAD.map(() => '---'), ['*goal*', '', ...GOALS, ''], ...rows];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

function row(proofs: readonly Proof[]): string[] {
  const [first] = proofs;
  const runs = proofs.flatMap((proof) => proof.runs);
  const undone = proofs.flatMap(({ undo }) => undo ?? []);
  const accepted = runs.filter(({ state }) => state === 'accepted').length;
  const gain = spread(proofs.map(({ heldOut }) => 100 * (heldOut.after - heldOut.before)));
  const before = spread(proofs.map(({ heldOut }) => 100 * heldOut.before));
  const after = spread(proofs.map(({ heldOut }) => 100 * heldOut.after));
  const alarming = proofs.filter(({ alarms }) => alarms.length > 0).length;
  return [
    ...[first?.lesson ?? '', String(proofs.length), first?.poison ? 'to be refused' : `${gain}: ${before} → ${after}`],
    ...[
      spread(
        proofs.map(({ capability }) => capability.ratio),
        3,
      ),
      `${spread(proofs.map(({ tasks }) => tasks.before))} → ${spread(proofs.map(({ tasks }) => tasks.after))} of ${first?.tasks.of}`,
      alarming === 0 ? 'none' : `in ${alarming}`,
    ],
    ...[spread(proofs.map(({ feedback }) => feedback)), spread(proofs.map((proof) => proof.secondsPerFeedback))],
    ...['trainer', 'engine'].map((name) => spread(proofs.map(({ peak }) => (peak[name] ?? 0) / 1e6))),
    ...[spread(undone.map(({ milliseconds }) => milliseconds)), exactness(undone)],
    `${accepted} of ${runs.length}`,
  ];
}

function exactness(undone: readonly NonNullable<Proof['undo']>[]): string {
  if (undone.length === 0) return '–';
  const off = Math.max(...undone.map(({ logprobsOff }) => logprobsOff));
  return `${undone.every(({ sameBytes }) => sameBytes) ? 'yes' : 'no'}, ${off === 0 ? 0 : off.toExponential(1)}`;
}

function spread(values: readonly number[], digits = 0): string {
  if (values.length === 0) return '–';
  const sorted = values.toSorted((one, other) => one - other);
  const at = (index: number) => (sorted[index] as number).toFixed(digits);
  const median = at(Math.floor((sorted.length - 1) / 2));
  return sorted.length === 1 ? median : `${median} (${at(0)}–${at(sorted.length - 1)})`;
}
