import { say, told } from '../../../../src-preload/contract/saying.ts';
import { every, type Script, type ScriptedData, type ScriptedOs } from './answers.ts';

/** The contract's `competition` out of a script. */
export function script(os: ScriptedOs['competition'], answers: ScriptedData): Script<'competition'> {
  const of = () => answers.competition;
  const found = (id: string) => {
    const one = of().state.entries.find((entry) => entry.id === id);
    if (!one) throw new Error(`There is no submission ${id}.`);
    return one;
  };
  const change = (what: string, id: string, changes: object) => {
    of().done.push(`${what} ${id}`);
    return Object.assign(found(id), changes);
  };
  return {
    watch: os.watch.handler(({ signal }) =>
      every(
        () => 100,
        () => of().state,
        signal,
      ),
    ),
    state: os.state.handler(() => of().state),
    look: os.look.handler(() => of().state),
    current: os.current.handler(() => of().current),
    rounds: os.rounds.handler(() => ({ rounds: of().rounds, more: false })),
    leaderboard: os.leaderboard.handler(({ input }) => ({ ...of().board, round: input.round ?? of().board.round })),
    verify: os.verify.handler(async function* ({ input: { round } }) {
      yield { type: 'done' as const, round, isRight: true, checks: [], interventions: [] };
    }),
    artefact: os.artefact.handler(() => ({ content: '' })),
    bring: os.bring.handler(({ input }) => ({ next: input.bytes })),
    prepare: os.prepare.handler(async ({ input: { name, tokens, sha256 } }) => {
      await of().preparing;
      const [first] = of().state.entries;
      const id = 'f'.repeat(32);
      const { hotkey } = of().state;
      const entry = {
        ...(first ?? ({} as never)),
        id,
        name,
        tokens,
        sha256,
        state: 'kept' as const,
        receipt: null,
        reveal: null,
      };
      of().state.entries.unshift(entry);
      const published = [
        say('competitor.draft.hotkey', { hotkey, wallet: 'main', address: entry.hotkey }),
        say('competitor.draft.commitment', { host: 'competition.example' }),
        say('competitor.draft.code', { blocks: 100, minutes: 20, name, bytes: entry.bytes }),
        say('competitor.draft.public', { round: '3', hotkey: entry.hotkey }),
      ];
      const warnings = [told({ text: say('competitor.draft.late', { round: '3' }) })];
      return { entry, published: published.map((words) => told({ text: words })), warnings };
    }),
    submit: os.submit.handler(({ input }) => change('submit', input.id, { state: 'committed', error: null })),
    reveal: os.reveal.handler(({ input }) => change('reveal', input.id, { state: 'revealed', reveal: null })),
    served: os.served.handler(() => ({ running: null })),
    bans: os.bans.handler(() => []),
    lift: os.lift.handler(() => ({ lifted: false })),
    extend: os.extend.handler(() => of().current),
    end: os.end.handler(() => of().current),
    forget: os.forget.handler(({ input }) => {
      of().done.push(`forget ${input.id}`);
      of().state.entries = of().state.entries.filter(({ id }) => id !== input.id);
    }),
  };
}
