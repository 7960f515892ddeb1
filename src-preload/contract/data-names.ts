/** Where videos come from: own folders, the Internet Archive, Wikimedia Commons, PeerTube, and the user's own yt-dlp. */
export const SOURCE_KINDS = ['folder', 'archive', 'commons', 'peertube', 'ytdlp'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/**
 * Under what a video may be used. Those that allow no derivatives, and what nobody has said, are no licence to cut a clip. `own`: of the user's own folders, who answers for it.
 */
export const LICENCES = ['own', 'publicDomain', 'by', 'bySa', 'byNc', 'byNcSa', 'byNd', 'byNcNd', 'unknown'] as const;
export type Licence = (typeof LICENCES)[number];
/** Of these a clip may be made and passed on. */
export const USABLE_LICENCES: readonly Licence[] = ['own', 'publicDomain', 'by', 'bySa', 'byNc', 'byNcSa'];

/** How far a video is. `skipped`: looked at, and nothing of it is of use; `failed`: it could be tried again. */
export const JOB_STATES = ['waiting', 'fetching', 'cutting', 'describing', 'done', 'skipped', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Who wrote a description: whoever published the video, a model that sees pictures, what is spoken with what is seen, or the user. */
export const DESCRIBERS = ['title', 'model', 'speech', 'user'] as const;
export type Describer = (typeof DESCRIBERS)[number];

/** What finding and judging clips is made of. Each may be missing; what is lost then is said. */
export const ABILITIES = ['media', 'pictures', 'sounds', 'texts', 'scores', 'speech', 'speakers', 'captions'] as const;
export type Ability = (typeof ABILITIES)[number];

/** What a model of clips is for. */
export const CLIP_MODEL_KINDS = ['pictures', 'sounds', 'voice', 'words', 'speakers'] as const;
export type ClipModelKind = (typeof CLIP_MODEL_KINDS)[number];

/** A submission that this node has handed in, or that it was handed. */
export const SUBMISSION_ROLES = ['sent', 'received'] as const;
export type SubmissionRole = (typeof SUBMISSION_ROLES)[number];

/** What a submission is of. */
export const SUBMISSION_KINDS = ['videos', 'sounds'] as const;
export type SubmissionKind = (typeof SUBMISSION_KINDS)[number];

/**
 * What came of looking closely at one clip of a submission; `unlooked`: this one was not chosen for it; `differs`: it is another one than was said, from a server whose owner may have changed it.
 */
export const DEEP_CHECKS = ['unlooked', 'right', 'lie', 'differs', 'notFetched'] as const;
export type DeepCheckState = (typeof DEEP_CHECKS)[number];
