import { munkres } from 'munkres';
import type { SpokenTurn } from '../../../../clips/models/clip-models.ts';

export interface DiarisationError {
  /** Missed, wrongly found and mistaken speech ÷ the speech of the reference: 0 is right, and it may be above 1. */
  rate: number;
  /** Seconds of each, those of two who speak at once counted twice. */
  missed: number;
  falseAlarm: number;
  confused: number;
  /** What the reference says is spoken. */
  total: number;
}

/** Who speaks in a stretch in which nobody begins or ends. Whoever has two turns at once is there twice. */
interface Stretch {
  seconds: number;
  reference: number[];
  found: number[];
}

/** Shorter ones are none: a sum of numbers of seconds is not exact. */
const LEAST_SECONDS = 1e-6;

/**
 * The diarisation error rate: how much of who speaks when somebody got wrong, with speakers named anew so that it is least. Stretches in which turns of the
 * reference lie over each other are left out, as OMEGA does (B6 of its fact sheet). What pyannote.metrics 4 computes with `skip_overlap=True`, also where turns of one
 * speaker lie over each other: it counts them twice.
 *
 * @param found what is held against the reference; both are bounded by whoever reads them: it takes their product
 */
export function diarisationError(reference: readonly SpokenTurn[], found: readonly SpokenTurn[]): DiarisationError {
  const [names, foundNames] = [namesOf(reference), namesOf(found)];
  const stretches = stretchesOf(reference, found)
    .map(({ from, to }) => ({
      seconds: to - from,
      reference: speaking(reference, names, from, to),
      found: speaking(found, foundNames, from, to),
    }))
    .filter((stretch) => stretch.reference.length < 2);
  const meant = whoIsWho(stretches, names.length, foundNames.length);
  const error = { rate: 0, missed: 0, falseAlarm: 0, confused: 0, total: 0 };
  for (const { seconds, reference: said, found: heard } of stretches) {
    const right = said.filter((name) => heard.some((one) => meant[one] === name)).length;
    error.total += seconds * said.length;
    error.missed += seconds * Math.max(0, said.length - heard.length);
    error.falseAlarm += seconds * Math.max(0, heard.length - said.length);
    error.confused += seconds * (Math.min(said.length, heard.length) - right);
  }
  const wrong = error.missed + error.falseAlarm + error.confused;
  return { ...error, rate: error.total > 0 ? wrong / error.total : Number(wrong > 0) };
}

const namesOf = (turns: readonly SpokenTurn[]) => [...new Set(turns.map(({ speaker }) => speaker))];

/** From each beginning or end to the next. */
function stretchesOf(...lists: (readonly SpokenTurn[])[]): { from: number; to: number }[] {
  const moments = [...new Set(lists.flat().flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  return moments.slice(1).flatMap((to, at) => {
    const from = moments[at] as number;
    return to - from < LEAST_SECONDS ? [] : [{ from, to }];
  });
}

const speaking = (turns: readonly SpokenTurn[], names: readonly string[], from: number, to: number) =>
  turns.filter((turn) => turn.from <= from && turn.to >= to).map(({ speaker }) => names.indexOf(speaker));

/** For each that was found, whom of the reference it is taken for, so that as many seconds as can be are right. */
function whoIsWho(stretches: readonly Stretch[], names: number, foundNames: number): (number | undefined)[] {
  if (names === 0 || foundNames === 0) return [];
  const together = Array.from({ length: foundNames }, () => new Float64Array(names));
  for (const { seconds, reference, found } of stretches)
    for (const one of found) for (const name of reference) addTo(together[one], name, seconds);
  const meant: (number | undefined)[] = [];
  for (const [one, name] of munkres(together.map((row) => [...row].map((seconds) => -seconds))))
    if (together[one]?.[name]) meant[one] = name;
  return meant;
}

function addTo(row: Float64Array | undefined, at: number, seconds: number): void {
  if (row) row[at] = (row[at] ?? 0) + seconds;
}
