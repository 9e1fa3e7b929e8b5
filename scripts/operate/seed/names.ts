/** Invented people: Kazakh and Russian names whose first name, family name and patronymic agree in gender. */
import type { Random } from '../../kit/random.ts';

interface Name {
  readonly female: boolean;
  readonly first_name: string;
  readonly last_name: string;
  readonly middle_name: string;
}

const list = (text: string): readonly string[] => text.trim().split(/\s+/);

const kazakh = {
  male: list(`Айдар Алмас Арман Асқар Бауыржан Бекзат Берік Болат Дархан Данияр Ерлан Ерболат Жандос Жасұлан Қайрат
    Қанат Мақсат Марат Мұрат Нұрлан Нұрсұлтан Олжас Рауан Рүстем Санжар Серік Талғат Тимур Ержан Әлихан Ғани Өмірбек`),
  female: list(`Айгүл Айжан Ақмарал Алия Ардақ Әсел Әйгерім Балжан Баян Гүлнар Гүлмира Дана Динара Жанар Жұлдыз Зарина
    Қарлығаш Құралай Лаура Мадина Мөлдір Назерке Нұргүл Перизат Раушан Сабина Салтанат Сәуле Томирис Ұлжан Шолпан Індира`),
  last: list(`Абдрахманов Ахметов Байжанов Бектұров Дүйсенов Есенов Жакупов Жұмабаев Ибраев Искаков Қасымов Құдайберген
    Мұқанов Нұрпейісов Нұртаев Омаров Оспанов Рахимов Садықов Сағынтаев Сейітов Смағұлов Сүлейменов Тәжібаев Төлегенов
    Үсенов Шаймерден Шәріпов Ыдырысов Әбенов Өтегенов Байзақ`),
  patronymics: list(`Ерлан Серік Болат Нұрлан Қайрат Марат Бауыржан Асқар Қанат Талғат Мұрат Берік Дархан Айдар`),
};

const russian = {
  male: list(`Александр Алексей Андрей Антон Виктор Владимир Дмитрий Евгений Иван Игорь Кирилл Максим Михаил Николай
    Олег Павел Роман Сергей Станислав Юрий Артём Фёдор`),
  female: list(`Александра Алёна Анна Валентина Вера Виктория Галина Дарья Екатерина Елена Ирина Ксения Людмила Мария
    Наталья Оксана Ольга Светлана Софья Татьяна Юлия Яна`),
  last: list(`Иванов Петров Смирнов Кузнецов Попов Соколов Лебедев Новиков Морозов Волков Зайцев Павлов Семёнов Голубев
    Виноградов Богданов Воробьёв Фёдоров Михайлов Беляев Тарасов Белов Комаров Орлов Киселёв Макаров Ильин Гусев
    Вишневский Краснопольский Шевченко Бондаренко Ким Цой Пак Шмидт Вебер`),
  /** Without their endings, вич and вна. */
  patronymics: list(`Александро Алексее Андрее Викторо Владимиро Дмитрие Ивано Игоре Михайло Николае Олего Павло Сергее
    Юрье`),
};

/** The feminine form of a family name. Names such as Ким or Шевченко do not change. */
function feminine(lastName: string): string {
  if (/[оеё]в$|[иы]н$/u.test(lastName)) return `${lastName}а`;
  if (lastName.endsWith('ский')) return `${lastName.slice(0, -2)}ая`;
  return lastName;
}

/** One name in twelve has no patronymic, as in reality. */
export function inventName(random: Random): Name {
  const female = random.chance(0.5);
  const isKazakh = random.chance(0.68);
  const { male, female: women, last } = isKazakh ? kazakh : russian;
  const lastName = random.pick(last);
  const fatherKazakh = random.pick(kazakh.patronymics);
  const fatherRussian = random.pick(russian.patronymics);
  const father = isKazakh ? fatherKazakh + (female ? 'қызы' : 'ұлы') : fatherRussian + (female ? 'вна' : 'вич');
  return {
    female,
    first_name: random.pick(female ? women : male),
    last_name: female ? feminine(lastName) : lastName,
    middle_name: random.chance(1 / 12) ? '' : father,
  };
}

const LATIN: Readonly<Record<string, string>> = Object.fromEntries(
  list(`а=a ә=a б=b в=v г=g ғ=g д=d е=e ё=e ж=zh з=z и=i й=i к=k қ=k л=l м=m н=n ң=n о=o ө=o п=p р=r с=s т=t у=u ұ=u
    ү=u ф=f х=kh һ=h ц=ts ч=ch ш=sh щ=shch ъ= ы=y і=i ь= э=e ю=yu я=ya`).map(
    (pair) => pair.split('=') as [string, string],
  ),
);

/** Latin letters for an e-mail address; other characters are dropped. */
export function latin(text: string): string {
  let out = '';
  for (const letter of text.toLowerCase()) out += LATIN[letter] ?? '';
  return out;
}
