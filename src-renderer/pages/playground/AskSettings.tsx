import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import { NextCost } from './NextCost.tsx';
import { Parameters } from './Parameters.tsx';
import type { Answerers } from './useAnswerers.ts';
import type { Choose } from './useChoose.tsx';
import { WhoAnswers } from './WhoAnswers.tsx';

interface AskSettingsProps {
  options: AskOptions;
  answerers: Answerers;
  onChoose: Choose;
  onChange: (options: AskOptions) => void;
}

/** Who is asked, what that costs, and how answers are made: kept with the conversation. */
export function AskSettings({ options, answerers, onChoose, onChange }: AskSettingsProps) {
  return (
    <>
      <WhoAnswers options={options} answerers={answerers} onChoose={onChoose} />
      {options.target === 'mesh' && <NextCost options={options} lately={answerers.lately} />}
      <Parameters options={options} onChange={onChange} />
    </>
  );
}
