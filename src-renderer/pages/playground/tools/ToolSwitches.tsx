import { Stack } from '@mantine/core';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { BUILT_IN_TOOLS, type BuiltInTool } from '../../../../src-preload/contract/built-in-tools.ts';
import type { AskOptions } from '../../../../src-preload/contract/conversations.ts';
import { Note } from '../../../components/Note.tsx';
import { Block } from '../../../components/page/Inspector.tsx';
import { SwitchRow } from '../../../components/setting-field/SwitchRow.tsx';
import { useNode } from '../../../state/node.ts';

interface ToolSwitchesProps {
  options: AskOptions;
  onChange: (options: AskOptions) => void;
}

/** What the model may use for its answers; each tool runs on this computer. An answer that ends leaves it as it is. */
export const ToolSwitches = memo(function ToolSwitches({ options, onChange }: ToolSwitchesProps) {
  const { t } = useTranslation('playground');
  const untrained = useNode(({ status }) => status?.engine.model?.tools === false);
  const { tools = [] } = options;
  const change = (tool: BuiltInTool, on: boolean) => {
    const chosen = BUILT_IN_TOOLS.filter((one) => (one === tool ? on : tools.includes(one)));
    onChange({ ...options, tools: chosen.length > 0 ? chosen : undefined });
  };
  return (
    <Block title={t('tools.title')}>
      <Stack gap={12}>
        {BUILT_IN_TOOLS.map((tool) => (
          <SwitchRow
            key={tool}
            label={t(`tools.${tool}.name`)}
            description={t(`tools.${tool}.explain`)}
            checked={tools.includes(tool)}
            onChange={(event) => change(tool, event.currentTarget.checked)}
          />
        ))}
        {tools.length > 0 && options.target === 'local' && untrained && <Note>{t('tools.untrained')}</Note>}
      </Stack>
    </Block>
  );
});
