/** The lines of the releases after one of them, up to another one, without those about what the first did not have. */
const linesBetween = (lines, from, to) =>
  lines.filter(({ release, since }) => release > from && release <= to && since <= from);

/** The lines of the page. Redoc draws sections only in sight, so they are read from what it draws. */
function linesOf(definition) {
  const { description } = definition.tags.find(({ name }) => name === 'releases');
  const found = description.matchAll(/^- <span data-change="(\w+) (\d+) (-?\d+)"><\/span>(.*)$/gm);
  return [...found].map(([, kind, release, since, text]) => ({ kind, release: +release, since: +since, text }));
}

/** A line as HTML: names as code, and links. */
const lineHtml = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>')
    .replaceAll(/\[([^\]]*)\]\(([^)\s]*)\)/g, '<a href="$2">$1</a>');

document.addEventListener('click', ({ target }) => {
  const choice = target.closest?.('#compare-releases');
  if (!choice || target.localName !== 'button') return;
  const [from, to] = [...choice.querySelectorAll('select')].map((each) => each.selectedOptions[0]);
  const lines = linesBetween(linesOf(docsDefinition), Number(from.value), Number(to.value));
  const groups = Object.entries(KINDS).map(([kind, title]) => {
    const items = lines.filter((line) => line.kind === kind).map(({ text }) => `<li>${lineHtml(text)}</li>`);
    if (items.length > 0) return `<p><strong>${title}</strong></p><ul>${items.join('')}</ul>`;
    return kind === 'breaks' ? '<p><strong>Breaking:</strong> nothing.</p>' : '';
  });
  const isForward = Number(from.value) < Number(to.value);
  document.getElementById('difference').innerHTML = isForward
    ? `<h3>From ${from.text} to ${to.text}</h3>${groups.join('')}<hr>`
    : '<p>Choose a later release to compare with.</p>';
});
