import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '../../../../src-renderer/styles.css';
import { Box, MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { INK, SERIES_COLOURS } from '../../../../src-renderer/components/chart/colours.ts';
import { DayChart } from '../../../../src-renderer/components/chart/DayChart.tsx';
import { Legend } from '../../../../src-renderer/components/chart/Legend.tsx';
import { TimeChart } from '../../../../src-renderer/components/chart/TimeChart.tsx';
import { Section } from '../../../../src-renderer/components/Section.tsx';
import { i18n, speak } from '../../../../src-renderer/i18n/i18n.ts';
import { cssVariables, theme } from '../../../../src-renderer/theme.ts';

/**
 * The charts by themselves, in every state that a page may put them into; `charts.test.ts` builds and opens it. All figures are
 * fixed, and so is the time: 20 November 2026, by the clock of the computer that shows them.
 */
const at = (hour: number, minute = 0, second = 0) => new Date(2026, 10, 20, hour, minute, second).getTime();
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const NOW = at(21, 5);
const FROM = NOW - 15 * MINUTE;
const PAUSE = { from: at(20, 56, 20), to: at(20, 58, 40) };

/** A sample every five seconds; nothing while it was paused. */
const times = Array.from({ length: 181 }, (_, index) => FROM + index * 5 * SECOND);
const speed = times.map((time, index) => {
  if (time > PAUSE.from && time < PAUSE.to) return null;
  return Math.max(
    0,
    41 + 4 * Math.sin(index / 4) + 2 * Math.sin(index * 1.7) - (index % 37 < 4 ? 35 - 8 * (index % 37) : 0),
  );
});
const payments = times
  .filter((time, index) => index % 9 === 4 && !(time > PAUSE.from && time < PAUSE.to))
  .map((time, index) => ({ at: time, points: 4 + ((index * 5) % 7), ...(index === 0 && { answers: 3 }) }));
const days = Array.from({ length: 30 }, (_, index) => at(12) - (29 - index) * DAY);
const points = days.map((_, index) =>
  index === 4 ? -7 : index === 9 ? null : Math.round(260 + 240 * Math.sin(index / 3)),
);
const hourly = Array.from({ length: 169 }, (_, index) => NOW - (168 - index) * 60 * MINUTE);

function Stage() {
  return (
    <Box p={16} bg="var(--q-panel)" component="main">
      <Section
        title="Now"
        beside={
          <Legend
            items={[
              { label: 'Tokens per second', colour: SERIES_COLOURS[0], value: '41' },
              { label: 'Paid answers', colour: INK.oreFill, value: String(payments.length), mark: 'tick' },
            ]}
          />
        }
      >
        <TimeChart
          label="Tokens per second over the last 15 minutes; now 41"
          empty="Starts with the first answer"
          from={FROM}
          to={NOW}
          times={times}
          series={[{ label: 'Tokens per second', values: speed }]}
          format={(value) => String(Math.round(value))}
          bands={[{ ...PAUSE, label: 'Paused: you were here', short: 'Paused' }]}
          payments={payments}
        />
      </Section>
      <Section title="Nothing">
        <TimeChart
          label="No answer yet"
          empty="Starts with the first answer"
          from={FROM}
          to={NOW}
          times={times}
          series={[{ label: 'Tokens per second', values: times.map(() => null) }]}
        />
      </Section>
      <Section title="Days">
        <DayChart
          label="Points in the last 30 days"
          empty="No points"
          days={days}
          series={{ label: 'Points', values: points }}
          others={[{ label: 'Requests', values: days.map((_, index) => index) }]}
          colour={INK.oreFill}
          whole
        />
      </Section>
      <Section title="Week">
        <TimeChart
          label="Four of them over seven days"
          empty="Nothing"
          from={NOW - 7 * DAY}
          to={NOW}
          times={hourly}
          series={[0, 1, 2, 3].map((place) => ({
            label: `Line ${place + 1}`,
            values: hourly.map((_, index) => 12_000 + 3_000 * place + 4_000 * Math.sin(index / 9 + place)),
          }))}
        />
      </Section>
      <Section title="Minutes">
        <TimeChart
          label="Two minutes, of which one was not seen"
          empty="Nothing"
          from={NOW - 2 * MINUTE}
          to={NOW}
          end={null}
          gapMs={10 * SECOND}
          maximum={100}
          times={times.filter((time) => time < NOW - 90 * SECOND || time > NOW - 30 * SECOND)}
          series={[{ label: 'Health', values: times.map((_, index) => 70 + (index % 5)) }]}
        />
      </Section>
    </Box>
  );
}

await speak('en');
const root = document.getElementById('root');
if (!root) throw new Error('The page has no root.');
createRoot(root).render(
  <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
    <I18nextProvider i18n={i18n}>
      <Stage />
    </I18nextProvider>
  </MantineProvider>,
);
