/** In which order repositories are listed: those that most people fetch, those that most like, those that changed last. Plain, so that a screen loads no zod. */
export const HUB_SORTS = ['downloads', 'likes', 'newest'] as const;
export type HubSort = (typeof HUB_SORTS)[number];
