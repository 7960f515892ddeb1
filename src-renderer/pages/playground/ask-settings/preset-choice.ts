import type { AskOptions, Preset } from '../../../../src-preload/contract/conversations.ts';

/** What of a conversation's options a preset keeps: how answers are made, and not who makes them, nor whether they are kept. */
export function settingsOf({ target: _, model: __, private: ___, ...settings }: AskOptions): Preset['options'] {
  return settings;
}

/** The options with what a preset says, and nothing of what was set before; who answers stays, and what is private. */
export function withPreset(
  { target, model, private: isPrivate }: AskOptions,
  preset: Pick<Preset, 'options'>,
): AskOptions {
  return { ...preset.options, target, ...(model !== undefined && { model }), ...(isPrivate && { private: true }) };
}

/** The preset that says just what is set; undefined where something was changed since. */
export function presetOf(options: AskOptions, presets: readonly Preset[]): Preset | undefined {
  const set = written(settingsOf(options));
  return presets.find((preset) => written(preset.options) === set);
}

/** Alike for what is alike: in whatever order, and with nothing that is not set. */
function written(settings: Preset['options']): string {
  const set = Object.entries(settings).filter(([, value]) => value !== undefined);
  return JSON.stringify(set.sort(([one], [other]) => (one < other ? -1 : 1)));
}
