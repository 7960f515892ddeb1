import { ORPCError } from '@orpc/server';
import type { z } from 'zod';
import type {
  ChainDraft,
  ChainStateView,
  chainActionSchema,
  SentCall,
} from '../../../../src-preload/contract/chain.ts';
import { MAIN_ADDRESS, sampleAccount, sampleHistory } from '../sample-accounts.ts';
import { every, type Script, type ScriptedData, type ScriptedOs } from './answers.ts';
import { SCRIPTED_PASSWORD } from './wallet.ts';

/** A test network, whose newest block is fresh. */
export const CONNECTED: ChainStateView = {
  network: 'test',
  endpoint: 'wss://test.chain.example',
  status: 'connected',
  specVersion: 425,
  block: 5_120_017,
  finalised: 5_120_015,
};

const FEE = 124_000n;

/** The contract's `chain` out of a script. What is sent is on its way for a moment, then final, and in the list from then on. */
export function script(os: ScriptedOs['chain'], answers: ScriptedData): Script<'chain'> {
  let drafted: ChainDraft | undefined;
  let sent: SentCall | undefined;
  return {
    state: os.state.handler(() => answers.chainState),
    watch: os.watch.handler(({ signal }) =>
      every(
        () => 1_000,
        () => answers.chainState,
        signal,
      ),
    ),
    accounts: os.accounts.handler(({ input }) => input.addresses.map(sampleAccount)),
    history: os.history.handler(({ input }) => sampleHistory(input.days)),
    calls: os.calls.handler(({ input }) => ({
      calls: answers.calls.slice(0, input.limit),
      more: answers.calls.length > input.limit,
    })),
    subnets: os.subnets.handler(() => answers.chainSubnets),
    subnet: os.subnet.handler(({ input }) => answers.metagraphOf(input.netuid)),
    draft: os.draft.handler(({ input }) => {
      answers.drafted.push(input);
      drafted = draftOf(input);
      sent = undefined;
      return drafted;
    }),
    send: os.send.handler(async function* ({ input }) {
      if (input.password !== SCRIPTED_PASSWORD) throw wrongPassword();
      if (!drafted) throw new ORPCError('BAD_REQUEST');
      if (!sent) {
        const { refusal } = answers;
        sent = { ...callOf(drafted, (answers.calls[0]?.id ?? 0) + 1), ...(refusal && { refusal }) };
        answers.calls = [sent, ...answers.calls];
      }
      answers.onSend();
      yield sent;
      await answers.untilFinal();
      const end = sent.refusal ? ({ state: 'expired' } as const) : ({ state: 'done', block: 5_120_018 } as const);
      answers.calls = [{ ...sent, ...end }, ...answers.calls.slice(1)];
      yield { ...sent, ...end };
    }),
  };
}

function draftOf(action: z.output<typeof chainActionSchema>): ChainDraft {
  const amount = 'amount' in action ? BigInt(action.amount) : 0n;
  const limit = action.action === 'register' ? BigInt(action.limitPrice ?? 0) : undefined;
  const moves = action.action === 'unstake' ? 0n : (limit ?? amount);
  const left = BigInt(sampleAccount(MAIN_ADDRESS).spendable) - moves - FEE;
  const isSwap = action.action === 'stake' || action.action === 'unstake';
  return {
    id: 'draft',
    action,
    call: { pallet: 'Balances', name: 'transfer_keep_alive', args: [] },
    signedBy: 'coldkey',
    from: MAIN_ADDRESS,
    sealing: 'nacl',
    moves: String(moves),
    ...('amount' in action && { amount: String(amount) }),
    fee: String(FEE),
    left: left < 0n ? null : String(left),
    ...(isSwap && {
      swap: {
        out: String((amount * 98n) / 100n),
        slippage: 120,
        price: '20530000',
        limitPrice: action.action === 'stake' ? '20632000' : '20427000',
      },
    }),
    warnings:
      action.action === 'transfer'
        ? [{ text: 'You have never sent to this address. A transfer cannot be taken back.', said: {} }]
        : [],
    ...(action.action === 'transfer' && { typed: action.to.slice(-4) }),
    ...(action.action === 'register' && { typed: String(action.netuid) }),
  };
}

function callOf({ action, from, moves, fee }: ChainDraft, id: number): SentCall {
  return {
    id,
    at: Date.now(),
    network: 'test',
    action: action.action,
    state: 'waiting',
    from,
    to: 'to' in action ? action.to : action.hotkey,
    netuid: 'netuid' in action ? action.netuid : null,
    moves,
    fee,
    hash: `0x${'ab'.repeat(32)}`,
    block: null,
  };
}

function wrongPassword() {
  const data = { code: 'UNAUTHORIZED' as const, message: 'The password is wrong.', field: 'password' };
  return new ORPCError('QUARRY', { status: 400, message: data.message, data });
}
