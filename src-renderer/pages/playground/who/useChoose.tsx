import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AskOptions } from '../../../../src-preload/contract/conversations.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import type { Answerers } from './useAnswerers.ts';
import { askedOf, type Who } from './who.ts';

export type Choose = (who: Who) => void;

/**
 * Lets somebody else answer. One model is loaded here at a time: to answer with another one takes that into memory, and a
 * node that mines asks first.
 */
export function useChoose(
  options: AskOptions,
  { here, work, titleOf }: Answerers,
  onChange: (options: AskOptions) => void,
): { choose: Choose; question: ReactNode } {
  const { t } = useTranslation('playground');
  const [asked, setAsked] = useState<string>();
  const change = (name: string) => {
    onChange(askedOf(`here:${name}`, options));
    work.choose(name);
  };
  const choose = (who: Who) => {
    const name = who.startsWith('here:') ? who.slice('here:'.length) : here; // what was learnt is of the model that is here
    if (name === undefined || name === here || name === '') onChange(askedOf(who, options));
    else if (work.mining) setAsked(name);
    else change(name);
  };
  const question = (
    <ConfirmDialog
      opened={asked !== undefined}
      title={t('local.change')}
      action={t('local.change')}
      colour="quarry"
      onConfirm={() => {
        if (asked) change(asked);
        setAsked(undefined);
      }}
      onClose={() => setAsked(undefined)}
    >
      {t('local.changeExplain', { name: asked && titleOf(asked) })}
    </ConfirmDialog>
  );
  return { choose, question };
}
