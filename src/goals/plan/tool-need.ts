// Tells whether an order needs a tool: it changes something, or it needs what nobody has read.
import { mask, unmask } from '../match/mask.ts';
import { type Order, orderOf } from '../match/read-order.ts';
import { stemOf } from '../match/terms.ts';
import { asksToDestroy, groupOf, isMakingVerb, needsTool } from '../match/verbs.ts';
import { clausesOfGoal, conditionOf } from '../split/clauses.ts';
import { mentionsIn } from '../split/mentions.ts';

/** `change`: it changes something outside the run. `read`: it is about something that must be read first. */
export type ToolNeed = 'change' | 'read';

/** The material that a task has before it begins. */
export interface Material {
  /** It has results of earlier steps, or an input. */
  readonly hasResults: boolean;
  /** A model wrote the text before it, which the task may change. */
  readonly hasText: boolean;
  /** It has a file or an image, whose content an agent is shown. */
  readonly hasFile: boolean;
}

const noMaterial: Material = { hasResults: false, hasText: false, hasFile: false };

const stems = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/).map(stemOf));

/** Verbs that change something outside the run, besides those with synonyms in tool names. */
const changing =
  stems(`append book buy purchase pay reserve install deploy move rename copy upload save schedule reschedule merge
  close open reopen assign restart reboot push commit submit invite notify email phone transfer refund charge reimburse enable
  disable provision migrate subscribe unsubscribe register release rollback restore revert rotate upgrade downgrade launch
  execute run start stop store configure print forward ship approve reject`);

/** Verbs of tools that read. */
const fetching = stems(
  'get read fetch view display retrieve search query lookup look watch download find list show see',
);

/** Verbs for work on a thing that must be there. */
const takingIn =
  stems(`summarize summarise review translate analyze analyse compare check count inspect examine proofread
  classify extract sort audit verify evaluate rate transcribe parse refactor fix improve shorten rewrite`);

/** Things that a model writes by itself. */
const texts = stems(`summary report letter text list table draft plan outline email mail message essay poem haiku story
  description title name idea rhyme example word synonym sentence paragraph headline slogan answer argument question proposal
  translation comparison analysis overview explanation agenda checklist speech recipe joke glossary article conclusion`);

const DEFINITE =
  /^\p{L}+ (?:(?:up|for|at|over|through|into) )?(?:the|my|our|this|these|those|that|its|their|your|his|her|all|each|every|both)(?!\p{L})/iu;
const REFERS_BACK = /(?<!\p{L})(?:it|them|this|these|those|its|their)(?!\p{L})/iu;
const ADDS_UP = /^(?:add (?:up|together|\S+ (?:up|together))|make (?:sure|up))(?!\p{L})/iu;
const DESTROYS_BY_PHRASE = /^(?:get|throw|take|clean|clear|call)(?!\p{L})/iu;
const GIVES_TEXT = /:\s+\S|\n/u;

/** Imperatives of other languages that change something. */
const foreign = new Set(
  `lösche löschen entferne entfernen sende senden schicke schicken verschicke buche buchen bestelle bestellen bezahle bezahlen
  überweise überweisen storniere stornieren kündige kündigen ändere ändern verschiebe verschieben kopiere kopieren installiere
  installieren öffne öffnen schließe schließen speichere speichern veröffentliche aktualisiere erstatte supprime supprimez
  supprimer envoie envoyez envoyer réserve réservez réserver annule annulez annuler achète achetez acheter paie payez payer efface
  effacez effacer déplace déplacez déplacer installe installez installer ouvre ouvrez ouvrir ferme fermez fermer modifie modifiez
  modifier publie publiez publier rembourse borra borrar elimina eliminar envía enviar reserva reservar compra comprar paga pagar
  cancela cancelar instala instalar mueve mover abre abrir cierra cerrar guarda guardar modifica modificar cancella invia prenota
  annulla installa sposta apri chiudi salva pubblica apague exclua envie compre pague cancele verwijder verstuur stuur boek betaal
  annuleer installeer verplaats`.split(/\s+/),
);

/**
 * The need of a text with one or more orders. Undefined for orders that a model can do with its words alone, and for orders
 * with an unknown verb.
 */
export function toolNeedOf(said: string, material: Material = noMaterial): ToolNeed | undefined {
  const { text, spans } = mask(said);
  const needs = clausesOfGoal(text.slice(conditionOf(text).length)).map((clause, index) =>
    needOfOrder(unmask(clause.text, spans), index === 0 ? material : { ...material, hasResults: true, hasText: true }),
  );
  return needs.find((need) => need === 'change') ?? needs.find((need) => need !== undefined);
}

/** Whether an order changes something outside the run. `follows`: an order stands before it in the goal. */
export function changesAnything(says: string, follows: boolean): boolean {
  const material = { hasResults: follows, hasText: follows, hasFile: false };
  return toolNeedOf(says.slice(conditionOf(says).length), material) === 'change';
}

/** The files that an order names, without those of its condition. */
export function filesOf(says: string): readonly string[] {
  const { text, spans } = mask(says.slice(conditionOf(says).length));
  const { paths = [], outputs = [] } = mentionsIn(text, spans).parameters;
  return [...paths, ...outputs].filter((path) => !path.includes('*'));
}

function needOfOrder(said: string, material: Material): ToolNeed | undefined {
  const order = orderOf(said);
  const { text, spans } = mask(said);
  const { parameters, attachments } = mentionsIn(text, spans);
  if ((parameters.outputs ?? []).length > 0 || changes(order, material)) return 'change';
  const isGiven = material.hasResults || material.hasText || material.hasFile || (parameters.quoted ?? []).length > 0;
  if (isGiven || GIVES_TEXT.test(said)) return undefined;
  return attachments.length > 0 || isUnread(order) ? 'read' : undefined;
}

function changes(order: Order, { hasText }: Material): boolean {
  const { text, verb, terms } = order;
  if (ADDS_UP.test(text)) return false;
  if (foreign.has(text.split(' ')[0]?.toLowerCase() ?? '')) return true;
  const isOnText = terms.some(({ stem }) => texts.has(stem)) || REFERS_BACK.test(text);
  if (verb === undefined) return /^make /iu.test(text) && !(hasText && isOnText);
  const { stem } = verb;
  if (needsTool(stem) || changing.has(stem)) return true;
  if (asksToDestroy(DESTROYS_BY_PHRASE.test(text) ? text : '', [stem])) return true;
  if (!isMakingVerb(stem)) return false;
  const makes = stem === stemOf('create') || stem === stemOf('make');
  return !((makes && isText(order)) || (hasText && isOnText));
}

function isText({ acted }: Order): boolean {
  return acted.some(({ stem }) => texts.has(stem));
}

function isUnread(order: Order): boolean {
  const { text, verb } = order;
  if (verb === undefined) return false;
  const isDefinite = DEFINITE.test(text);
  if (fetching.has(verb.stem) || groupOf(verb.stem) === 1) return isDefinite || !isText(order);
  return takingIn.has(verb.stem) && (isDefinite || REFERS_BACK.test(text));
}

/** The need in words: "changes something". */
export const needTexts: Readonly<Record<ToolNeed, string>> = {
  change: 'changes something',
  read: 'needs what has not been read',
};
