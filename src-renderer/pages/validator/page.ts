import { IconShieldCheck } from '@tabler/icons-react';
import { screen } from '../../components/screen.ts';

export const page = screen(IconShieldCheck, async () => (await import('./Validator.tsx')).Validator);
