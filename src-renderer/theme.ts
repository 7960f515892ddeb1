import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  SegmentedControl,
  Table,
} from '@mantine/core';
import { i18n } from './i18n/i18n.ts';

// Mantine draws its greys from these two: text dark[0], dimmed dark[2], placeholder dark[3], lines dark[4], hover dark[5],
// controls dark[6], body dark[7]; in light lines gray[3], control lines gray[4], hover gray[0].
const gray: MantineColorsTuple = [
  '#f5f7f6',
  '#eff2f1',
  '#e8ecea',
  '#e2e7e5',
  '#cfd7d4',
  '#616c68',
  '#616c68',
  '#46514d',
  '#2a3330',
  '#121917',
];
const dark: MantineColorsTuple = [
  '#e9eeec',
  '#b1bbb7',
  '#a3ada9',
  '#8d9894',
  '#262e2b',
  '#222a28',
  '#1b2220',
  '#141918',
  '#0d1110',
  '#080b0a',
];
const quarry: MantineColorsTuple = [
  '#ddf2ee',
  '#c5ebe4',
  '#a9eadd',
  '#74dccb',
  '#3fcab6',
  '#1eb29f',
  '#119485',
  '#0e857a',
  '#0f766e',
  '#0b5f58',
];
const ore: MantineColorsTuple = [
  '#fdf1d3',
  '#fae5b1',
  '#f6d685',
  '#f3c964',
  '#f0bc4a',
  '#e8ae3a',
  '#c4860e',
  '#b27a0a',
  '#835400',
  '#5f3d00',
];
const red: MantineColorsTuple = [
  '#fce8e6',
  '#fbd3cf',
  '#f9b9b3',
  '#f8a69e',
  '#ff938a',
  '#e8655a',
  '#d64a3f',
  '#c5362c',
  '#b3261e',
  '#8f1d17',
];

/** Mantine's close buttons have no name of their own. */
const named = () => ({ closeButtonProps: { 'aria-label': i18n.t('action.close') } });

export const theme = createTheme({
  colors: { gray, dark, quarry, ore, red },
  primaryColor: 'quarry',
  primaryShade: { light: 8, dark: 4 },
  // Mantine's autoContrast looks at the light shade only; filled things are bright in the dark theme and need dark ink there.
  variantColorResolver: (input) => {
    const colours = defaultVariantColorsResolver(input);
    return input.variant === 'filled' ? { ...colours, color: 'var(--q-on-filled)' } : colours;
  },
  black: '#121917',
  fontFamily: '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: '"JetBrains Mono Variable", ui-monospace, Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.5', xl: '1.6' },
  fontWeights: { regular: '400', medium: '550', bold: '650' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '4px', sm: '6px', md: '6px', lg: '10px', xl: '12px' },
  defaultRadius: 'md',
  shadows: {
    sm: '0 1px 2px rgb(16 24 22 / 0.06)',
    md: '0 1px 2px rgb(16 24 22 / 0.06), 0 8px 24px rgb(16 24 22 / 0.14)',
    xl: '0 2px 6px rgb(16 24 22 / 0.10), 0 24px 64px rgb(16 24 22 / 0.28)',
  },
  headings: {
    fontWeight: '600',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '0.9375rem', lineHeight: '1.4' }, // in the header bar
      h2: { fontSize: '0.875rem', lineHeight: '1.4' }, // a section
      h3: { fontSize: '0.8125rem', lineHeight: '1.4' }, // a block in the inspector
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({
      defaultProps: { size: 'sm' },
      vars: (_theme, { size }) => ({ root: { '--button-height': size === 'xs' ? '28px' : '34px' } }),
      styles: { root: { fontWeight: 550 } },
    }),
    // The hint below the field; Mantine has it above, and its size at 11 px.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
      styles: {
        label: { fontWeight: 550, marginBottom: 4 },
        description: { fontSize: '0.75rem', marginTop: 4 },
        error: { fontSize: '0.75rem', marginTop: 4 },
      },
    },
    Table: Table.extend({
      defaultProps: { verticalSpacing: 8, horizontalSpacing: 10, highlightOnHover: true, fz: 'sm' },
      styles: { th: { fontSize: '0.75rem', fontWeight: 500, color: 'var(--mantine-color-dimmed)' } },
    }),
    SegmentedControl: SegmentedControl.extend({
      defaultProps: { size: 'xs', withItemsBorders: false },
      styles: {
        root: { background: 'var(--q-idle-soft)' },
        indicator: { background: 'var(--q-segment)' },
        label: { fontWeight: 550 },
      },
    }),
    Modal: {
      defaultProps: () => ({ radius: 'xl', shadow: 'xl', centered: true, ...named() }),
      styles: { title: { fontSize: '1rem', lineHeight: '22px', fontWeight: 600 } },
    },
    Drawer: { defaultProps: named },
    Notification: { defaultProps: named },
    // Whoever does not scroll yet sees that there is more: no bar would show before.
    ScrollArea: { defaultProps: { type: 'auto' } },
    // An empty element at its start that would take the focus may not stand in a menu; its first item can have it.
    Menu: { defaultProps: { shadow: 'md', radius: 'lg', withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { shadow: 'md', radius: 'lg' } },
    Tooltip: { defaultProps: { openDelay: 300 } },
  },
});

/** Every colour that is not Mantine's own, light and dark. Pages say var(--q-…), never a hex. */
const tokens: Record<string, readonly [light: string, dark: string]> = {
  canvas: ['#eff2f1', '#0d1110'],
  panel: ['#ffffff', '#141918'],
  well: ['#f5f7f6', '#1b2220'],
  raised: ['#ffffff', '#1e2523'],
  line: ['#e2e7e5', '#262e2b'],
  'line-2': ['#cfd7d4', '#363f3c'],
  field: ['#87918d', '#66716d'],
  ink: ['#121917', '#e9eeec'],
  'ink-2': ['#46514d', '#b1bbb7'],
  'ink-3': ['#616c68', '#8d9894'],
  mining: ['#0f766e', '#3fcab6'],
  'mining-soft': ['#ddf2ee', '#11332e'],
  ore: ['#835400', '#f0bc4a'],
  'ore-fill': ['#c4860e', '#e8ae3a'],
  'ore-soft': ['#fdf1d3', '#33280f'],
  wait: ['#1b62a8', '#84bef5'],
  'wait-soft': ['#e3effb', '#152a3f'],
  pause: ['#9a4700', '#f7ae78'],
  'pause-soft': ['#fdebdd', '#3a2413'],
  error: ['#b3261e', '#ff938a'],
  'error-soft': ['#fce8e6', '#401a18'],
  hover: ['#f1f4f3', '#1d2422'],
  aside: ['#fafbfb', '#161c1a'],
  idle: ['#56615d', '#a3ada9'],
  'idle-soft': ['#e8ecea', '#222a28'],
  'on-filled': ['#ffffff', '#06201c'],
  'tile-shadow': ['rgb(16 24 22 / 0.06)', 'rgb(0 0 0 / 0.3)'],
  'nav-hover': ['rgb(16 24 22 / 0.05)', 'rgb(255 255 255 / 0.05)'],
  segment: ['#ffffff', '#36403d'],
  c1: ['#0f8478', '#3fcab6'],
  c2: ['#b27a0a', '#f0bc4a'],
  c3: ['#2f6bd8', '#7faafb'],
  c4: ['#8452d5', '#b896f5'],
  c5: ['#c43a70', '#f283aa'],
  c6: ['#6b7672', '#8d9894'],
  newcomer: ['#56615d', '#a3ada9'],
  bronze: ['#8f5426', '#e0a576'],
  silver: ['#58646b', '#b9c4cb'],
  gold: ['#835a00', '#f0bc4a'],
  platinum: ['#1f6b7f', '#7fcbdd'],
  diamond: ['#2b58b8', '#8fb4ff'],
  master: ['#7239b8', '#c5a1f7'],
};

const inScheme = (which: 0 | 1) => ({
  ...Object.fromEntries(Object.entries(tokens).map(([name, pair]) => [`--q-${name}`, pair[which]])),
  '--mantine-color-dimmed': 'var(--q-ink-3)',
  '--mantine-color-error': 'var(--q-error)',
  '--mantine-color-default-border': 'var(--q-line-2)',
  '--mantine-color-anchor': which === 0 ? '#0b5f58' : '#74dccb',
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: inScheme(0),
  dark: inScheme(1),
});
