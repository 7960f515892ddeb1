import { Modal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyDraft, KeySource } from '../../../../src-preload/contract/wallet.ts';
import { api, client } from '../../../api/client.ts';
import { ignoring } from '../../../api/ignoring.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useUnsaved } from '../../../api/unsaved.ts';
import { useSecretly } from '../../../api/use-secretly.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import type { WalletList } from '../wallet-list.ts';
import { AskWords } from './AskWords.tsx';
import { KeepKey } from './KeepKey.tsx';
import { KeptKey } from './KeptKey.tsx';
import { KeySourceForm } from './KeySourceForm.tsx';
import { ShowWords } from './ShowWords.tsx';

interface NewKeyProps {
  /** Made anew, or brought from elsewhere. */
  way: 'create' | 'bring';
  list: WalletList;
  onClose: () => void;
}

type Step = 'source' | 'words' | 'ask' | 'keep';

/** Where a key was written. */
export interface Kept {
  wallet: string;
  hotkey?: string | undefined;
  address: string | null;
}

/** Makes or brings a key. Nothing is written before its words were told again; who leaves earlier leaves nothing behind. */
export function NewKey({ way, list, onClose }: NewKeyProps) {
  const { t } = useTranslation('wallet');
  const [hotkeyOf, setHotkeyOf] = useState<string>();
  const [draft, setDraft] = useState<KeyDraft>();
  const [step, setStep] = useState<Step>('source');
  const [told, setTold] = useState<string[]>([]);
  const [kept, setKept] = useState<Kept>();
  const [leaving, setLeaving] = useState(false);
  const making = useSecretly(async (source: KeySource) => client.wallet.draft(source));
  useDiscarded(kept ? undefined : draft?.id);
  useUnsaved(draft !== undefined && kept === undefined);

  const take = async (source: KeySource) => {
    const made = await making.go(source);
    if (!made) return;
    setDraft(made);
    setStep(made.phrase === undefined ? 'keep' : 'words');
  };
  const keep = async (where: Kept) => {
    setKept(where);
    await queryClient.invalidateQueries({ queryKey: api.wallet.list.key() });
  };
  const close = () => (draft?.phrase !== undefined && !kept ? setLeaving(true) : onClose());
  const title = kept ? 'new.kept' : step === 'words' ? 'new.words' : step === 'ask' ? 'new.ask' : `new.${way}`;
  return (
    <Modal.Stack>
      <Modal opened onClose={close} title={t(title)} size={520} closeOnClickOutside={false} stackId="key">
        {kept ? (
          <KeptKey kept={kept} folder={list.folder} onClose={onClose} />
        ) : !draft || step === 'source' ? (
          <KeySourceForm {...{ way, list, hotkeyOf, setHotkeyOf }} making={making} onTake={take} onClose={close} />
        ) : step === 'words' ? (
          <ShowWords phrase={draft.phrase ?? ''} onNext={() => setStep('ask')} onClose={close} />
        ) : step === 'ask' ? (
          <AskWords
            draft={draft}
            onBack={() => setStep('words')}
            onTold={(words) => {
              setTold(words);
              setStep('keep');
            }}
          />
        ) : (
          <KeepKey {...{ draft, told, hotkeyOf, list }} onKept={(where) => void keep(where)} onClose={close} />
        )}
      </Modal>
      <ConfirmDialog
        stackId="leave"
        opened={leaving}
        title={t('new.leave.title')}
        action={t('new.leave.do')}
        keep={t('new.leave.stay')}
        onConfirm={onClose}
        onClose={() => setLeaving(false)}
      >
        {t('new.leave.what')}
      </ConfirmDialog>
    </Modal.Stack>
  );
}

/** Has main forget a draft that nobody keeps, also where somebody goes to another page. */
function useDiscarded(id: string | undefined): void {
  const last = useRef(id);
  last.current = id;
  useEffect(
    () => () => {
      if (last.current === undefined) return;
      void client.wallet.discard({ id: last.current }).catch(ignoring('main forgets it by itself in half an hour'));
    },
    [],
  );
}
