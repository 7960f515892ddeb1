import { Badge, type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { i18n } from './i18n/i18n.ts';

/** Deep teal, from the stone of the mark. */
const quarry: MantineColorsTuple = [
  '#effcf9',
  '#d5f5ee',
  '#a9eadd',
  '#74dccb',
  '#3fcab6',
  '#1eb29f',
  '#119485',
  '#0e857a',
  '#0f766e',
  '#115e59',
];

/** Mantine's close buttons have no name of their own. */
const named = () => ({ closeButtonProps: { 'aria-label': i18n.t('action.close') } });

export const theme = createTheme({
  primaryColor: 'quarry',
  // White on the eighth shade can be read in both themes, on red buttons too.
  primaryShade: 8,
  autoContrast: true,
  colors: { quarry },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.75rem' } } },
  components: {
    Badge: Badge.extend({ styles: { root: { textTransform: 'none' } } }),
    // An empty element at its start that would take the focus may not stand in a menu; its first item can have it.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // Whoever does not scroll yet sees that there is more: no bar would show before.
    ScrollArea: { defaultProps: { type: 'auto' } },
    Modal: { defaultProps: named },
    Drawer: { defaultProps: named },
    Notification: { defaultProps: named },
  },
});

/** Mantine's own are too pale on their light grounds to be read by everybody (WCAG AA asks for 4.5 : 1). */
const READABLE_ON_LIGHT = {
  green: '#1c5c2a',
  yellow: '#6b4400',
  orange: '#803300',
  red: '#9b1c1c',
  blue: '#124f92',
  gray: '#3f464d',
  quarry: '#115e59',
};

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b636b',
    '--quarry-page': '#f4f6f6',
    '--mantine-color-error': '#b02525',
    ...Object.fromEntries(
      Object.entries(READABLE_ON_LIGHT).map(([name, colour]) => [`--mantine-color-${name}-light-color`, colour]),
    ),
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb4',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-body': '#25272a',
    '--quarry-page': '#1b1d1f',
  },
});
