/** What main says about: where videos come from that clips are made of. */
export const clipSources = {
  'clipSources.noLicence': 'Nobody says under what licence it may be used.',
  'clipSources.noDerivatives': 'Its licence, {{licence}}, does not let it be cut.',
  'clipSources.notAllowed': 'Videos under {{licence}} are not used here: the settings leave them out.',
  'clipSources.noDownload': 'Whoever published it does not let it be downloaded.',
  'clipSources.unencrypted': '{{host}} is not asked: its address is without encryption.',
  'clipSources.otherVideo': 'Take another video.',
  'clipSources.nonsense': '{{host}} did not answer as a server of its kind does.',
  'clipSources.checkAddress': 'Try again in a while. If that goes on, check the address in the settings.',
  'clipSources.gone': '{{host}} does not have this video any more.',
  'clipSources.fileGone': 'The file is not there any more, or has been changed.',
  'clipSources.tooLarge': 'The video is more than {{most, bytes}}.',
  'clipSources.makeRoom': 'Make room there: it goes on where it was.',
  'clipSources.tooSlow': '{{host}} sends next to nothing.',
  'clipSources.takesLong': '{{host}} takes very long. What has come is kept, and others have their turn first.',
  'clipSources.whenOnline': 'When the connection is back it can be asked again; what was begun goes on by itself.',
  'clipSources.forbidden': '{{host}} refuses to answer.',
  'clipSources.nameContact':
    'Some hosts want to know whom to write to: name a contact in the settings. It may also be that this video is not for everybody.',
  'clipSources.badPage': 'This page of results is none that was given out.',
  'clipSources.searchAnew': 'Search anew.',
  'clipSources.isOff': 'The source «{{source}}» is switched off.',
  'clipSources.inSettings': 'See what is set, and set what is missing: quarry settings list data',
  'clipSources.wantedFolders': 'a list of folders',
  'clipSources.wantedAddress': 'a web address that begins with https://, or one of this computer',
  'clipSources.wantedContact':
    'a contact: an e-mail address or the address of a page, 3 to 200 characters without spaces and umlauts',
  'clipSources.noFolders': 'No folder with videos is named in the settings.',
  'clipSources.unreadFolder': 'The folder {{folder}} cannot be read ({{code}}).',
  'clipSources.lookAtFolder': 'Look whether it is there, and whether this account may read it.',
  'clipSources.noContact':
    'It needs a contact: Wikimedia wants an e-mail address or a page of yours with each question. Name one in the settings.',
  'clipSources.noInstance': 'No PeerTube server is named in the settings.',
  'clipSources.noProgram': 'The settings do not say where yt-dlp is.',
  'clipSources.noSuchProgram': 'There is no program at {{path}}.',
  'clipSources.programFailed': 'yt-dlp did not do it: {{words}}',
  'clipSources.programTooLong': 'yt-dlp did not come to an end in time.',
  'clipSources.updateProgram': 'Try again in a while, or with a newer yt-dlp.',
  'clipSources.programNonsense': 'yt-dlp said something that it never says.',
  'clipSources.termsArchive':
    'The Internet Archive shows what others have put there. Whether a licence is right, it does not vouch for.',
  'clipSources.termsCommons':
    'Wikimedia Commons is told your contact with each question. What may be done with a video, its licence says.',
  'clipSources.termsPeertube': 'Each PeerTube server has its own rules, and its people answer for what they publish.',
  'clipSources.termsProgram':
    'yt-dlp is a program of yours, and asks sites in your name. Many of them forbid in their terms of use what it does: whoever switches it on answers for that. Only videos under a Creative Commons licence are used.',
} as const;
