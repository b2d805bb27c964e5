"use strict";
/* Sentences in the reader's language: the page holds those of its scripts, unless they are English. */
const MESSAGES = JSON.parse(document.getElementById("messages")?.textContent ?? "{}");
const filled = (sentence, parameters) => sentence.replace(/{(\w+)}/g, (whole, name) => parameters[name]);
const _ = (sentence, parameters = {}) => filled(MESSAGES[sentence] ?? sentence, parameters);
const pgettext = (context, sentence) => MESSAGES[`${context}\n${sentence}`] ?? sentence;
const ngettext = (singular, plural, count, parameters = {}) => {
  const [forms, of] = MESSAGES[singular] ?? [];
  const form = forms ? forms[of[count < 200 ? count : 100 + (count % 100)]] : count === 1 ? singular : plural;
  return filled(form, { count, ...parameters });
};
