import type { WantedAction } from '../state/wanted.ts';

/** A heading of a page, or something to do there, that the palette finds. */
interface Entry {
  /** Where it is; a page's address. */
  path: string;
  /** Key of its text, with its namespace. */
  title: string;
  /** Words people look for it by, in English and German, whichever of them the screens speak. */
  words: string;
}

interface Section extends Entry {
  /** Settings whose path begins with one of these stand there, and are found by the same words. */
  settings?: readonly string[];
}

interface Action extends Entry {
  wants: WantedAction;
}

const POWER = 'electricity power energy watt kwh cost price strom energie kosten preis verbrauch';
const BACKUP = 'backup save identity password sicherung sichern datensicherung passwort identität retten';
const PASSWORD = 'password secret login access key passwort kennwort geheimnis anmelden zugang schlüssel';
const MONEY = 'tao money wallet balance geld guthaben wallet';
const KEY = 'key wallet coldkey hotkey btcli schlüssel wallet';
const PAIR = 'pair node computer fleet code koppeln knoten rechner verbinden';

/** Headings, in the order in which they are offered. */
export const SECTIONS: readonly Section[] = [
  { path: '/settings/security', title: 'backup:title', words: BACKUP },
  { path: '/settings/security', title: 'settings:token.title', words: PASSWORD, settings: ['apiToken'] },
  { path: '/settings/security', title: 'settings:browserLink.title', words: `${PASSWORD} browser link` },
  {
    path: '/settings/security',
    title: 'settings:certificate.title',
    words: 'https tls ssl certificate encryption zertifikat verschlüsselung',
    settings: ['tls'],
  },
  {
    path: '/settings/security',
    title: 'settings:security.reach',
    words: 'remote public address url fern öffentlich adresse erreichbar',
    settings: ['publicUrl'],
  },
  {
    path: '/settings/general',
    title: 'settings:general.computer',
    words: 'name role start rolle autostart',
    settings: ['nodeName', 'role', 'mineOnStart'],
  },
  {
    path: '/settings/general',
    title: 'settings:general.energy',
    words: POWER,
    settings: ['node.watts', 'node.cost', 'node.currency'],
  },
  {
    path: '/settings/general',
    title: 'settings:general.screens',
    words: 'language german english dark light theme look sprache deutsch englisch dunkel hell aussehen',
    settings: ['language'],
  },
  {
    path: '/settings/policy',
    title: 'settings:policy.battery.title',
    words: `laptop unplugged akku netzteil ${POWER}`,
    settings: ['policy.onBattery'],
  },
  {
    path: '/settings/policy',
    title: 'settings:policy.quiet.title',
    words: 'time schedule night hours zeit zeitplan nacht ruhe stunden',
    settings: ['policy.quiet'],
  },
  {
    path: '/settings/policy',
    title: 'settings:policy.heat.title',
    words: 'temperature hot fan temperatur heiß lüfter hitze',
    settings: ['policy.heat'],
  },
  {
    path: '/settings/policy',
    title: 'settings:policy.user.title',
    words: 'idle keyboard mouse pause tastatur maus untätig',
    settings: ['policy.user'],
  },
  { path: '/settings/desktop', title: 'settings:desktop.updates', words: 'update version aktualisieren neu' },
  {
    path: '/settings/engine',
    title: 'settings:engine.hardware',
    words: 'gpu cpu threads vram graphics card grafikkarte prozessor kerne',
    settings: ['threads', 'gpu', 'engine.'],
  },
  {
    path: '/settings/engine',
    title: 'settings:remote.title',
    words: 'ollama lm studio openai server api',
    settings: ['remote.'],
  },
  {
    path: '/settings/network',
    title: 'settings:network.bandwidth',
    words: 'download upload speed limit tempo geschwindigkeit drosseln',
    settings: ['models.downloadLimit', 'sharing.'],
  },
  {
    path: '/settings/network',
    title: 'settings:network.mesh',
    words: `friends private group ${PASSWORD} freunde privat gruppe`,
    settings: ['mesh.'],
  },
  { path: '/settings/network', title: 'settings:network.server', words: 'port host address adresse' },
  {
    path: '/settings/folders',
    title: 'settings:folders.models',
    words: 'disk drive folder move platte laufwerk ordner verschieben',
    settings: ['models.folder'],
  },
  { path: '/settings/folders', title: 'settings:folders.data', words: 'disk drive folder platte laufwerk ordner' },
  { path: '/settings/logs', title: 'settings:doctor.title', words: 'doctor problem help fehler hilfe untersuchen' },
  {
    path: '/settings/logs',
    title: 'settings:diagnostics.title',
    words: 'report bug problem help bericht fehler hilfe',
  },
  { path: '/settings/logs', title: 'settings:log.title', words: 'log protocol lines protokoll zeilen' },
  { path: '/wallet/balance', title: 'wallet:stakes.title', words: 'stake delegate validator staken' },
  {
    path: '/wallet/balance',
    title: 'wallet:activity.title',
    words: 'transactions payments history transaktionen zahlungen verlauf',
  },
  {
    path: '/subnets/list',
    title: 'subnets:list.find',
    words: 'bittensor tao netuid metagraph neuron register registration subnet subnetz anmelden neuronen suchen',
  },
  {
    path: '/subnets/axon',
    title: 'subnets:axon.title',
    words: 'axon bittensor validator subnet serve port answer prüfer subnetz antworten erreichbar',
    settings: ['axon.'],
  },
  {
    path: '/validator',
    title: 'validator:find.board',
    words: 'validator leaderboard weight score ranking prüfer rangliste gewicht wertung',
  },
  {
    path: '/validator/miners',
    title: 'validator:miners.ways',
    words: 'validator miner mesh axon endpoint prüfer',
    settings: ['validator.'],
  },
  {
    path: '/learning',
    title: 'learning:settings.title',
    words: 'learning learn feedback adapter lora lernen rückmeldung',
    settings: ['learning.'],
  },
  {
    path: '/evaluation/new',
    title: 'evaluation:new.what',
    words:
      'evaluate evaluation benchmark needle haystack long context longbench auswerten auswertung nadel langer kontext prüfen',
  },
  {
    path: '/competitions/new',
    title: 'competitions:place.new',
    words: 'competition kernel optimise optimiser assemblyscript webassembly speed wettbewerb optimieren suche tempo',
  },
  {
    path: '/network/audits',
    title: 'network:place.audits',
    words:
      'audit honest cheat verify model calibrate calibration report stichprobe ehrlich betrug prüfen modell kalibrieren bericht',
  },
  {
    path: '/data',
    title: 'data:order.title',
    words: 'clip clips video data mine topic omega subnet daten schneiden thema suchen',
    settings: ['data.'],
  },
  { path: '/data', title: 'data:ability.title', words: 'ffmpeg model clip speech siglip clap modell sprache' },
  {
    path: '/data/set',
    title: 'data:upload.title',
    words: 'data set dataset parquet hugging face upload publish datensatz hochladen veröffentlichen',
  },
  { path: '/data/set', title: 'data:export.title', words: 'data set dataset parquet file datensatz datei' },
  {
    path: '/data/set',
    title: 'data:takeDown.list',
    words: 'take down remove licence complaint copyright zurückziehen entfernen beschwerde urheber',
  },
  { path: '/network/blocked', title: 'network:bans.title', words: 'ban block sperren sperre' },
];

/** What can be begun on a page: the page opens, and with it the dialog. */
export const ACTIONS: readonly Action[] = [
  { path: '/settings/security', title: 'backup:make', words: BACKUP, wants: 'backUp' },
  {
    path: '/settings/security',
    title: 'backup:restore',
    words: `${BACKUP} restore wiederherstellen zurückholen`,
    wants: 'restore',
  },
  { path: '/network/nodes', title: 'network:mine.add', words: `${PAIR} add hinzufügen`, wants: 'addNode' },
  { path: '/network/nodes', title: 'network:mine.join', words: `${PAIR} join beitreten`, wants: 'joinNode' },
  {
    path: '/models',
    title: 'models:import.open',
    words: 'import model file gguf importieren modell datei',
    wants: 'importFile',
  },
  {
    path: '/models',
    title: 'models:address.open',
    words: 'download url web address model herunterladen adresse modell',
    wants: 'addByAddress',
  },
  {
    path: '/earnings/ledger',
    title: 'earnings:proof.verify',
    words: 'verify check ledger book prüfen kassenbuch',
    wants: 'verifyLedger',
  },
  {
    path: '/playground',
    title: 'playground:new',
    words: 'chat ask question new gespräch fragen neu unterhaltung',
    wants: 'newConversation',
  },
  {
    path: '/wallet',
    title: 'wallet:send.find',
    words: `${MONEY} send pay transfer senden zahlen überweisen`,
    wants: 'sendTao',
  },
  {
    path: '/wallet',
    title: 'wallet:receive.find',
    words: `${MONEY} receive address empfangen adresse`,
    wants: 'receiveTao',
  },
  {
    path: '/wallet/keys',
    title: 'wallet:none.create',
    words: `${KEY} new create make neu anlegen`,
    wants: 'createKey',
  },
  {
    path: '/wallet/keys',
    title: 'wallet:none.bring',
    words: `${KEY} import bring restore mnemonic seed importieren mitbringen wiederherstellen`,
    wants: 'bringKey',
  },
  {
    path: '/validator/miners',
    title: 'validator:miners.add',
    words: 'validator miner add endpoint address openai ollama vllm prüfer hinzufügen adresse',
    wants: 'addMiner',
  },
  {
    path: '/wallet/keys',
    title: 'wallet:verify.title',
    words: 'signature verify sign unterschrift signatur prüfen',
    wants: 'verifyText',
  },
];
