import { Button, CloseButton } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { IconBulb } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Note } from '../../components/Note.tsx';
import { PageBody } from '../../components/page/PageBody.tsx';
import { SectionPair } from '../../components/Section.tsx';
import { useLedgerNews } from '../../state/ledger-news.ts';
import { useNode } from '../../state/node.ts';
import { Achievements } from './Achievements.tsx';
import { ActivityChart } from './ActivityChart.tsx';
import { EarnedFigures } from './EarnedFigures.tsx';
import { LastAnswers } from './LastAnswers.tsx';
import { Shortfalls } from './Shortfalls.tsx';
import { ThisComputer } from './ThisComputer.tsx';

/** What this computer has earned, what it does right now, and why it does not earn more. */
export function Dashboard() {
  useLedgerNews();
  // What is measured is measured for the mesh: on a node that serves nobody there is nothing to see.
  const serves = useNode(({ status }) => !status || status.mining !== undefined);
  return (
    <PageBody>
      <EarnedFigures />
      {serves && (
        <>
          <PracticeModelNote />
          <ActivityChart />
          <SectionPair>
            <Shortfalls />
            <LastAnswers />
          </SectionPair>
          <SectionPair>
            <ThisComputer />
            <Achievements />
          </SectionPair>
        </>
      )}
    </PageBody>
  );
}

/** Says where real models are, while the built-in one is loaded; until it is put away, or Quarry is opened again. */
function PracticeModelNote() {
  const { t } = useTranslation(['dashboard', 'common']);
  const tiny = useNode(({ status }) => status?.engine.model?.tiny ?? false);
  const [putAway, putAwayNow] = useSessionStorage({ key: 'quarry-practice-note', defaultValue: false });
  if (!tiny || putAway) return null;
  const actions = (
    <>
      <Button component="a" href="#/models/catalogue" size="xs" variant="default">
        {t('tiny.action')}
      </Button>
      <CloseButton size={28} aria-label={t('common:action.close')} onClick={() => putAwayNow(true)} />
    </>
  );
  return (
    <Note icon={IconBulb} title={t('tiny.title')} actions={actions} spaced inline>
      {t('tiny.text')}
    </Note>
  );
}
