import { useTranslation } from 'react-i18next';
import type { PeerView } from '../../../../src-preload/contract/mesh.ts';
import { isMiner } from './peer-list.ts';

/** As what a peer presents itself. Miners may ask too; that goes without saying. */
export function useRoleName(): (peer: PeerView) => string {
  const { t } = useTranslation();
  return (peer) => {
    if (isMiner(peer)) return t('role.miner');
    if (peer.validator) return t('role.validator');
    return t(peer.sides.includes('client') ? 'role.client' : 'none');
  };
}
