const words = (text: string): readonly string[] => text.split(' ');

/** What functions of a code base do. */
export const VERBS = words(
  'adjust allot append arrange assign balance batch bind borrow bundle charge clear collect compare cover credit defer deliver derive divide draft dispatch enrol expand fetch forward gather grant group hoist index issue join launch level lodge match measure merge mirror move notify offer pack park plan post price prune quote rank rate refund release relay rename rent repair reserve restock revise route scan seal settle shelve ship sign sort split stack store submit switch tally trace trim unload update verify waive weigh wrap',
);

/** What they do it to. */
export const NOUNS = words(
  'account anchor arrival asset berth bonus booking branch bridge buffer bulletin cargo carrier cellar channel chart claim clause coupon courier crate credit crew customs deck demand deposit depot dock draught duty estate fare ferry fleet freight gallery garden gauge grain guest harbour haulage hoist insurer invoice island journey kiosk lagoon lantern ledger licence locker manifest margin market meadow mooring notice orchard outlet packet pallet parcel passage patron pennant permit pier pilot pledge policy porter quarry quay quota ration receipt region rental reserve roster route sail sample schedule seal shelter signal silo spindle stamp station supplier surplus tariff tenant ticket timber toll trader transit turbine vault vendor vessel voucher voyage warehouse wharf yard',
);

export const QUALITIES = words(
  'annual brisk busy central civic coastal common daily distant double early eastern empty equal exact external final fixed foreign frozen global heavy hidden inland joint large late light linked local lower major minor mixed mobile monthly narrow native nightly northern open outer partial pending plain primary prior private public quick quiet rapid recent regular remote rural scarce second senior shared short silent simple single small southern spare standing steady strict sudden surplus swift tidal total urban usual valid vacant weekly western whole wide yearly',
);

/** What modules and classes are. */
export const ROLES = words(
  'board book broker cache clerk counter desk engine feed filter gate guide index journal keeper loader log mapper office panel planner pool queue reader register router scanner sheet source store table tracker watch writer',
);

/** Names inside of functions: few, so that they come again all over. */
export const LOCALS = words(
  'total share weight offset margin span tally pace depth excess balance factor surplus quota height volume',
);

/** Names of what functions are called with. */
export const ARGUMENTS = words(
  'amount limit region stamp owner origin target ratio grade season carrier notice window digits strict dry_run',
);

/** Remarks as people leave them; they say nothing that is true of the line below. */
export const REMARKS: readonly string[] = [
  'the old importer relied on this order',
  'TODO: ask the harbour office whether this still holds',
  'kept for the yearly report',
  'same as in the accounts module, see there',
  'do not change without the night shift',
  'was twice as much before the move to the new yard',
  'rounding is done by the caller',
  'never called with zero',
  'this used to be a loop',
  'the limit below is a guess',
  'unused since the merger',
  'both sides agreed on this figure',
];

/** How docstrings go on. */
export const PURPOSES: readonly string[] = [
  'so that the night shift finds it done',
  'before the books are closed',
  'as the carriers have asked for it',
  'for those who come by ferry',
  'and leaves the rest to the depot',
  'unless the yard is full',
  'in the order in which they came in',
  'with the figures of the day before',
  'for one season at a time',
  'and tells nobody about it',
];
