// The filters and buttons of a report. Without this script the page shows everything.
const form = document.querySelector('.filters');
const rows = [...document.querySelectorAll('[data-rule]')];
const shown = document.querySelector('#shown');
const tallies = [...document.querySelectorAll('.tally button')];
const inputs = [...form.querySelectorAll('select, input')];

function apply() {
  const wanted = Object.fromEntries(inputs.map(({ name, value }) => [name, value.trim()]));
  const words = wanted.text.toLowerCase();
  let count = 0;
  for (const row of rows) {
    const { section, status, operations } = row.dataset;
    const fits =
      (wanted.section === '' || section === wanted.section) &&
      (wanted.status === '' || status === wanted.status) &&
      (wanted.operation === '' || operations.split(' ').includes(wanted.operation)) &&
      (words === '' || row.textContent.toLowerCase().includes(words));
    row.hidden = !fits;
    if (fits && row.tagName === 'TR') count++;
  }
  const findings = document.querySelectorAll('.finding');
  const none = document.querySelector('#none');
  if (none) none.hidden = findings.length === 0 || [...findings].some((one) => !one.hidden);
  shown.textContent = `${count} of ${rows.filter(({ tagName }) => tagName === 'TR').length} rules shown`;
  for (const button of tallies) button.setAttribute('aria-pressed', String(button.value === wanted.status));
  const chosen = Object.entries(wanted).filter(([, value]) => value !== '');
  history.replaceState(null, '', chosen.length > 0 ? `#${new URLSearchParams(chosen)}` : location.pathname);
}

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
  const input = form.elements.namedItem(name);
  if (input) input.value = value;
}
form.addEventListener('input', apply);
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => setTimeout(apply));
for (const button of tallies) {
  button.addEventListener('click', () => {
    const { status } = form.elements;
    status.value = status.value === button.value ? '' : button.value;
    apply();
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
form.hidden = false;
if (location.hash.includes('=')) apply();
addEventListener('hashchange', unfold);
unfold();
