// The filters and buttons of a report. Without this script the page shows everything.
const forms = [...document.querySelectorAll('.filters')];
const chosenStatus = document.querySelector('select[name=status]');
const tallies = [...document.querySelectorAll('.tally button')];

document.addEventListener('fitted', () => {
  const findings = document.querySelectorAll('.finding');
  const none = document.querySelector('#none');
  if (none) none.hidden = findings.length === 0 || [...findings].some((one) => !one.hidden);
  for (const button of tallies) button.setAttribute('aria-pressed', String(button.value === chosenStatus.value));
  const chosen = forms.flatMap((form) => [...new FormData(form)].filter(([, value]) => value.trim() !== ''));
  history.replaceState(null, '', chosen.length > 0 ? `#${new URLSearchParams(chosen)}` : location.pathname);
});

/** Unfolds the finding that the address names. */
function unfold() {
  // A rule of an earlier release is named inside the finding of the rule that covers it.
  const named = document.getElementById(location.hash.slice(1))?.closest('.finding');
  if (named) {
    named.open = true;
    named.scrollIntoView();
  }
}

for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
  const input = forms.map(({ elements }) => elements.namedItem(name)).find((one) => one);
  if (input) input.value = value;
}
for (const button of tallies) {
  button.addEventListener('click', () => {
    chosenStatus.value = chosenStatus.value === button.value ? '' : button.value;
    fit(chosenStatus.form);
  });
}
for (const pre of document.querySelectorAll('pre[data-copy]')) {
  if (!navigator.clipboard) break;
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'copy',
    textContent: 'Copy',
  });
  button.setAttribute('aria-label', `Copy ${pre.dataset.copy}`);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent);
    button.textContent = 'Copied';
  });
  pre.before(button);
}
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('.finding details, details.finding')) details.open = true;
});
if (location.hash.includes('=')) forms.forEach(fit);
addEventListener('hashchange', unfold);
unfold();
