import { Button, Checkbox, Group, List, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { type UIEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TradeDemoStep } from '../../../../src-preload/contract/trade.ts';
import { client } from '../../../api/client.ts';
import { useSecretly } from '../../../api/use-secretly.ts';
import { ErrorNote } from '../../../components/errors/ErrorNote.tsx';
import { inkOf, type State } from '../../../components/state.ts';
import { useFocusBack } from '../../../components/use-focus-back.ts';
import { worded } from '../../../i18n/worded.ts';
import classes from './demo.module.css';

const LOOKS = {
  note: { icon: IconInfoCircle, state: 'idle' },
  done: { icon: IconCheck, state: 'good' },
  failure: { icon: IconAlertTriangle, state: 'pause' },
} as const satisfies Record<TradeDemoStep['kind'], { icon: typeof IconCheck; state: State }>;

const NEAR_END_PX = 24;

/** The whole way of a video without money: step by step, as it happens. It ends with the dialog. */
export function DemoDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['trade', 'common']);
  useFocusBack();
  const [steps, setSteps] = useState<TradeDemoStep[]>([]);
  const [withFailures, setWithFailures] = useState(false);
  const ending = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    ending.current = controller;
    return () => controller.abort();
  }, []);
  const showing = useSecretly(async () => {
    setSteps([]);
    const { signal } = ending.current;
    for await (const step of await client.trade.demo({ withFailures }, { signal })) setSteps((all) => [...all, step]);
    return true;
  });
  return (
    <Modal opened onClose={onClose} title={t('trade:try.title')} size={560}>
      <Stack>
        {steps.length === 0 ? <Text size="sm">{t('trade:try.what')}</Text> : <Steps steps={steps} />}
        <ErrorNote error={showing.error} />
        <Checkbox
          label={t('trade:try.withFailures')}
          checked={withFailures}
          disabled={showing.pending}
          onChange={(event) => setWithFailures(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:action.close')}
          </Button>
          <Button onClick={() => void showing.go(undefined)} loading={showing.pending} data-autofocus>
            {t(steps.length > 0 ? 'trade:try.again' : 'trade:try.start')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The last of them stays in sight, unless somebody has scrolled away from it. */
function Steps({ steps }: { steps: readonly TradeDemoStep[] }) {
  const { t } = useTranslation('trade');
  const view = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const lastTop = useRef(0);
  useEffect(() => {
    if (follows.current && steps.length > 0) view.current?.scrollTo({ top: view.current.scrollHeight });
  }, [steps]);
  const look = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<HTMLDivElement>) => {
    // A step that came in between is no scrolling away: that goes up.
    if (scrollHeight - scrollTop - clientHeight < NEAR_END_PX) follows.current = true;
    else if (scrollTop < lastTop.current) follows.current = false;
    lastTop.current = scrollTop;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
    <div ref={view} className={classes.steps} tabIndex={0} role="log" aria-label={t('try.title')} onScroll={look}>
      <List listStyleType="none" pl={0} size="sm" spacing={6}>
        {steps.map((step) => {
          const { icon: Icon, state } = LOOKS[step.kind];
          return (
            <List.Item
              key={step.text}
              icon={<Icon size={16} stroke={1.8} color={inkOf(state)} aria-label={t(`try.kind.${step.kind}`)} />}
              style={{ overflowWrap: 'anywhere' }}
            >
              {worded(step, 'text')}
            </List.Item>
          );
        })}
      </List>
    </div>
  );
}
