import type { AskOptions } from '../../../src-preload/contract/conversations.ts';
import { NextCost } from './NextCost.tsx';
import { Parameters } from './Parameters.tsx';
import type { Answerers } from './useAnswerers.ts';
import { WhoAnswers } from './WhoAnswers.tsx';

interface AskSettingsProps {
  options: AskOptions;
  answerers: Answerers;
  onChange: (options: AskOptions) => void;
}

/** Who is asked, what that costs, and how answers are made: kept with the conversation. */
export function AskSettings({ options, answerers, onChange }: AskSettingsProps) {
  return (
    <>
      <WhoAnswers options={options} answerers={answerers} onChange={onChange} />
      {options.target === 'mesh' && <NextCost options={options} />}
      <Parameters options={options} onChange={onChange} />
    </>
  );
}
