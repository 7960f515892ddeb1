import { ORPCError } from '@orpc/server';
import type { ErrorView } from '../../../../src-preload/contract/error-schema.ts';
import type { KeyDraft, WalletView } from '../../../../src-preload/contract/wallet.ts';
import type { Script, ScriptedData, ScriptedOs } from './answers.ts';

/** What `wallet.list` answers. */
export interface ScriptedWallets {
  folder: string;
  wallets: WalletView[];
  refusals: ErrorView[];
  confidential: boolean;
}

/** The password of every key. */
export const SCRIPTED_PASSWORD = 'correct horse';
const WORDS = 'old leopard transfer rib spatial phone calm indicate online fire caution review';
const MADE: KeyDraft = {
  id: 'draft',
  address: '5HDvhV6WDCjCKyrXqGQSDYqQAzkzabNhctmiDYEqgBC66BsX',
  phrase: WORDS,
  ask: [2, 7, 11],
};

/** A wallet with two hotkeys, one whose key is elsewhere, and one of an old program. */
export function scriptedWallets(): ScriptedWallets {
  return {
    folder: '/home/ada/.bittensor/wallets',
    confidential: true,
    refusals: [],
    wallets: [
      {
        name: 'main',
        coldkey: { address: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY', sealing: 'nacl' },
        hotkeys: [
          { name: 'default', address: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty', sealing: 'plain' },
          { name: 'validator', address: '5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy', sealing: 'nacl' },
        ],
      },
      {
        name: 'savings',
        coldkey: { address: '5HGjWAeFDfFCWPsjFQdVV2Msvz2XtMktvgocEZcCj68kUMaw', sealing: null },
        hotkeys: [],
      },
      { name: 'test', coldkey: { address: MADE.address, sealing: 'fernet' }, hotkeys: [] },
    ],
  };
}

/** The contract's `wallet` out of a script. A key that is kept is in the list from then on. */
export function script(os: ScriptedOs['wallet'], answers: ScriptedData): Script<'wallet'> {
  const check = (password: string | null) => {
    if (password !== null && password !== SCRIPTED_PASSWORD) throw wrong('password', 'The password is wrong.');
  };
  return {
    list: os.list.handler(() => answers.wallets),
    publicPart: os.publicPart.handler(() => {
      const key = `0x${'e4'.repeat(32)}`;
      return { accountId: key, publicKey: key, ss58Address: MADE.address };
    }),
    draft: os.draft.handler(({ input }) => (input.from === 'new' ? MADE : { ...MADE, phrase: undefined, ask: [] })),
    keep: os.keep.handler(({ input: { wallet, hotkey, password, told } }) => {
      const words = WORDS.split(' ');
      if (told.some((word, at) => word !== words[(MADE.ask[at] ?? 0) - 1])) {
        throw wrong('words', 'These are not the words that were asked for.');
      }
      const key = { address: MADE.address, sealing: password === null ? ('plain' as const) : ('nacl' as const) };
      const { wallets } = answers.wallets;
      const old = wallets.find(({ name }) => name === wallet) ?? { name: wallet, coldkey: null, hotkeys: [] };
      const kept =
        hotkey === undefined
          ? { ...old, coldkey: key }
          : { ...old, hotkeys: [...old.hotkeys, { name: hotkey, ...key }] };
      answers.wallets = { ...answers.wallets, wallets: [...wallets.filter(({ name }) => name !== wallet), kept] };
      return key;
    }),
    discard: os.discard.handler(() => undefined),
    changePassword: os.changePassword.handler(({ input }) => check(input.from)),
    writePublic: os.writePublic.handler(({ input: { wallet, password } }) => {
      check(password);
      const { wallets } = answers.wallets;
      const written = wallets.map((one) =>
        one.name === wallet && one.coldkey
          ? { ...one, coldkey: { ...one.coldkey, address: MADE.address, lacksPublic: false } }
          : one,
      );
      answers.wallets = { ...answers.wallets, wallets: written };
    }),
    sign: os.sign.handler(({ input }) => {
      check(input.password);
      return { address: MADE.address, signature: `0x${'1f'.repeat(64)}` };
    }),
    verify: os.verify.handler(({ input }) => ({ valid: input.signature === `0x${'1f'.repeat(64)}` })),
  };
}

function wrong(field: string, message: string) {
  const code = field === 'password' ? 'UNAUTHORIZED' : 'BAD_REQUEST';
  return new ORPCError('QUARRY', { status: 400, message, data: { code, message, field } });
}
