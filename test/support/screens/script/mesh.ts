import type { Script, ScriptedData, ScriptedOs } from './answers.ts';
import { every } from './answers.ts';

/** The contract's `mesh` out of a script: peers, reachability and bans. */
export function script(os: ScriptedOs['mesh'], answers: ScriptedData): Script<'mesh'> {
  const second = () => 1_000;
  return {
    peers: os.peers.handler(() => answers.peers),
    watchPeers: os.watchPeers.handler(({ signal }) => every(second, () => answers.peers, signal)),
    reachability: os.reachability.handler(() => answers.reachability),
    ban: os.ban.handler(({ input: { id, hours } }) => {
      const ban = { id, reason: 'banned by hand', expiresAt: Date.now() + hours * 3_600_000 };
      const peers = answers.peers.peers.filter((peer) => peer.id !== id);
      answers.peers = { ...answers.peers, peers, bans: [...answers.peers.bans, ban] };
      return answers.peers;
    }),
    unban: os.unban.handler(({ input }) => {
      answers.peers = { ...answers.peers, bans: answers.peers.bans.filter(({ id }) => id !== input.id) };
      return answers.peers;
    }),
  };
}
