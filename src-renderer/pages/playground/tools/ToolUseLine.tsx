import { IconChevronRight, IconTool } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { BUILT_IN_TOOLS } from '../../../../src-preload/contract/built-in-tools.ts';
import type { ToolUse } from '../../../../src-preload/contract/conversations.ts';
import classes from '../playground.module.css';
import { givenTo } from './answer-pieces.ts';

interface ToolUseLineProps {
  use: ToolUse;
  /** Its answer is still coming. */
  running: boolean;
}

/** A tool that was used, in a line; what it was given and what came of it when that is opened. */
export function ToolUseLine({ use, running }: ToolUseLineProps) {
  const { t } = useTranslation('playground');
  const known = BUILT_IN_TOOLS.find((name) => name === use.tool);
  const came = use.result ?? t(running ? 'tools.running' : 'tools.unfinished');
  return (
    <details className={classes.use}>
      <summary>
        <IconChevronRight size={14} aria-hidden />
        <IconTool size={15} stroke={1.6} aria-hidden />
        <b>{known ? t(`tools.${known}.name`) : use.tool}</b> <span>{givenTo(use)}</span>{' '}
        <span>→ {use.failed ? t('tools.failed') : came}</span>
      </summary>
      <dl>
        <dt>{t('tools.given')}</dt>
        <dd>{use.arguments}</dd>
        <dt>{t(use.failed ? 'tools.why' : 'tools.result')}</dt>
        <dd>{came}</dd>
      </dl>
    </details>
  );
}
