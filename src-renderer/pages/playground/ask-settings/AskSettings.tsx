import type { AskOptions } from '../../../../src-preload/contract/conversations.ts';
import { ToolSwitches } from '../tools/ToolSwitches.tsx';
import { NextCost } from '../who/NextCost.tsx';
import type { Answerers } from '../who/useAnswerers.ts';
import type { Choose } from '../who/useChoose.tsx';
import { WhoAnswers } from '../who/WhoAnswers.tsx';
import { Parameters } from './Parameters.tsx';
import { PrivateSwitch } from './PrivateSwitch.tsx';

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
      <ToolSwitches options={options} onChange={onChange} />
      {options.target === 'local' && <PrivateSwitch options={options} onChange={onChange} />}
      <Parameters options={options} onChange={onChange} />
    </>
  );
}
