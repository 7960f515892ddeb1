/** What main says about: the program that reads and cuts videos, and videos of which no clip can be made. */
export const clipMedia = {
  'clips.media.none': 'The program ffmpeg, which reads and cuts videos, is not on this computer.',
  'clips.media.notThere': 'There is no ffmpeg at {{path}}.',
  'clips.media.noProbe': 'There is an ffmpeg at {{path}}, but no ffprobe, which comes with it.',
  'clips.media.silent': 'The program at {{path}} does not say which ffmpeg it is.',
  'clips.media.old': 'ffmpeg {{version}} is too old: {{needed}} or newer is needed.',
  'clips.media.getLinux': 'Install the package «ffmpeg» of your system, or say in the settings where it is.',
  'clips.media.getMac':
    'Install it, for example with Homebrew, where it is called «ffmpeg», or say in the settings where it is.',
  'clips.media.getWindows': 'Fetch a build for Windows from ffmpeg.org, and say in the settings where it is.',
  'clips.media.found': 'ffmpeg {{version}} reads and cuts videos.',
  'clips.media.lost': 'Without it no clips are made, and nobody’s clips are looked at closely.',
  'clips.media.failed': 'ffmpeg could not do its work: {{detail}}',
  'clips.media.ended': 'ffmpeg was ended by the system, perhaps for want of memory.',
  'clips.media.failedHint': 'Look whether ffmpeg works, and whether there is enough memory and disk.',
  'clips.media.noVideo': 'There is no moving picture in it.',
  'clips.media.damaged': 'The file is damaged, or is no video.',
  'clips.media.tooLong':
    'What would be cut out of it is longer than a clip may be: it has too few pictures at which a copy can begin.',
  'clips.media.tooLarge': 'It wants more memory than a video may, or says more than can be looked at.',
  'clips.media.tooSlow': 'Reading it takes longer than a video may.',
  'clips.media.codec': 'It is in a format that is not read here.',
} as const;
