import { Button } from '@mantine/core';
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

/** Says where real models are, while the built-in one is loaded. */
function PracticeModelNote() {
  const { t } = useTranslation('dashboard');
  const tiny = useNode(({ status }) => status?.engine.model?.tiny ?? false);
  if (!tiny) return null;
  const action = (
    <Button component="a" href="#/models/catalogue" size="xs" variant="default">
      {t('tiny.action')}
    </Button>
  );
  return (
    <Note icon={IconBulb} title={t('tiny.title')} actions={action} spaced>
      {t('tiny.text')}
    </Note>
  );
}
