import type { App } from './app.ts';

/** Takes over what is set in the app while the node runs, as far as somebody keeps a copy of it. */
export function applySettings(app: App): void {
  const { settings, changes } = app;
  settings.subscribe((config, changed) => {
    const has = (path: string) => changed.some((one) => one === path || one.startsWith(`${path}.`));
    if (has('policy')) void app.policy?.configure(config.policy);
    if (has('models.downloadLimit')) app.models.downloads.limit(config.models.downloadLimit ?? null);
    if (has('sharing.uploadLimit')) app.modelsNode?.sharing.limit(config.sharing.uploadLimit);
    if (has('model')) app.reloadModel().catch((err: unknown) => app.log.warn({ err }, 'the model could not be loaded'));
    changes.tell();
  });
}
