/** Seconds of a clip (OMEGA, B2), and of a video that is fetched for it. */
export const [LEAST_CLIP_SECONDS, MOST_CLIP_SECONDS, MOST_FETCHED_SECONDS] = [5, 120, 300] as const;
/** And bytes, of what anybody may fetch who makes clips of it or looks at them: of more nobody else could. */
export const MOST_FETCHED_BYTES = 300_000_000;
/** Clips of a submission that count, and sounds (B2). */
export const [MOST_CLIPS, MOST_SOUNDS] = [8, 4] as const;
/** What a description that says little lets its clip count; one that says much lets it count 1 (B5, step 12). */
export const LEAST_DETAIL = 0.65;
/** Clips or sounds that one question may ask for: more than are ever counted, and few enough to be answered. */
export const MOST_CLIPS_ASKED = 64;
/** Of a topic, UTF-16 units. */
export const MAX_TOPIC_CHARS = 200;
/** Of what a source calls one of its videos. */
export const MAX_VIDEO_ID_CHARS = 500;
export const MAX_DATA_TITLE_CHARS = 500;
/** Of a description; fifty pieces of sixty tokens are fewer. */
export const MAX_CLIP_DESCRIPTION_CHARS = 20_000;
/** Of who is to be named with a clip. */
export const MAX_ATTRIBUTION_CHARS = 1_000;
/** Of what is said in a clip. */
export const MAX_WORDS_CHARS = 20_000;
/** Videos that are put into the queue at once. */
export const MAX_ENQUEUED = 500;
/** Rows of one answer. */
export const MAX_DATA_PAGE = 100;
/** Videos that a topic is searched for at most, at one start. */
export const MAX_MINED = 10_000;
/** Clips that are wanted where nobody says how many. */
export const USUAL_MINED = 50;
/** Where clips are played from, by a ticket: `/data/clip/<ticket>`. */
export const CLIP_PATH = '/data/clip';
/** After that, its picture. */
export const POSTER_NAME = 'poster.jpg';
