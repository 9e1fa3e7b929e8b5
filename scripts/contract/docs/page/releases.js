/** The lines of the releases after one of them, up to another one, without those about what the first did not have. */
const linesBetween = (lines, from, to) =>
  lines.filter(({ release, since }) => release > from && release <= to && since <= from);

document.addEventListener('click', ({ target }) => {
  const choice = target.closest?.('#compare-releases');
  if (!choice || target.localName !== 'button') return;
  const [from, to] = [...choice.querySelectorAll('select')].map((each) => each.selectedOptions[0]);
  const all = [...document.querySelectorAll('[data-change]')].map((mark) => {
    const [kind, release, since] = mark.dataset.change.split(' ');
    return { kind, release: Number(release), since: Number(since), text: mark.parentElement.innerHTML };
  });
  const lines = linesBetween(all, Number(from.value), Number(to.value));
  const groups = Object.entries(KINDS).map(([kind, title]) => {
    const own = lines.filter((line) => line.kind === kind);
    const none = kind === 'breaks' ? '<p><strong>Breaking:</strong> nothing.</p>' : '';
    const items = own.map(({ text }) => `<li>${text.replace(/ data-change="[^"]*"/, '')}</li>`).join('');
    return items === '' ? none : `<p><strong>${title}</strong></p><ul>${items}</ul>`;
  });
  const isForward = Number(from.value) < Number(to.value);
  document.getElementById('difference').innerHTML = isForward
    ? `<h3>From ${from.text} to ${to.text}</h3>${groups.join('')}<hr>`
    : '<p>Choose a later release to compare with.</p>';
});
