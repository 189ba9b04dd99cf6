/** Text, with searches that find it and searches that do not. */
export interface Script {
  script: string;
  text: string;
  hits: readonly string[];
  misses: readonly string[];
}

/** One row per script or kind of folding, for the search tests on the server and on the page. */
export const scripts: readonly Script[] = [
  {
    script: 'Chinese',
    text: '我家在上海东边。',
    hits: ['上海', '海东', '我家在', '边', '上海 东边', '"上海东边"'],
    misses: ['海上', '北京', '上东', '东边上'],
  },
  {
    script: 'Japanese',
    text: '東京タワーへ行きました',
    hits: ['東京', 'タワー', '行き', 'ﾀﾜｰ', 'ワ'],
    misses: ['京都', 'たわー', '東タ'],
  },
  { script: 'half-width kana', text: 'ﾎﾞﾗﾝﾃｨｱ募集', hits: ['ボランティア', 'ボラ', '募集'], misses: ['ホラ'] },
  {
    script: 'Korean',
    text: '저는 서울에서 살아요. 배추김치',
    hits: ['서울', '서울에서', '김치', '살아', '서'],
    misses: ['부산', '울서'],
  },
  {
    script: 'Korean, decomposed',
    text: '한국어'.normalize('NFD'),
    hits: ['한국', '국어', '한국어'],
    misses: ['한어'],
  },
  {
    script: 'Thai',
    text: 'ฉันรักกรุงเทพมหานคร',
    hits: ['กรุงเทพ', 'รัก', 'มหานคร', 'ฉัน'],
    misses: ['เชียงใหม่', 'เทพรัก'],
  },
  { script: 'Lao', text: 'ຂ້ອຍຢູ່ວຽງຈັນ', hits: ['ວຽງຈັນ', 'ຢູ່'], misses: ['ປາກເຊ'] },
  { script: 'Khmer', text: 'ខ្ញុំនៅភ្នំពេញ', hits: ['ភ្នំពេញ', 'នៅ'], misses: ['សៀមរាប'] },
  { script: 'Burmese', text: 'ကျွန်တော်ရန်ကုန်မှာနေတယ်', hits: ['ရန်ကုန်'], misses: ['မန္တလေး'] },
  {
    script: 'Arabic',
    text: 'ذهب مُحَمَّد إلى المَدْرَسَة',
    hits: ['محمد', 'الي', 'المدرسة', 'المدرسه', 'مـحـمـد', 'ذَهَبَ'],
    misses: ['حمد', 'مدرسة', 'أحمد'],
  },
  {
    script: 'Arabic without marks',
    text: 'محمد وأحمد ٢٠٢٦',
    hits: ['مُحَمَّد', 'واحمد', '2026', '٢٠'],
    misses: ['026'],
  },
  {
    script: 'Persian',
    text: 'می‌خواهم کتاب بخوانم',
    hits: ['می', 'خواهم', 'می‌خواهم', 'كتاب', '"می خواهم"'],
    misses: ['واهم'],
  },
  {
    script: 'Hebrew',
    text: 'שָׁלוֹם לכולם, צה״ל',
    hits: ['שלום', 'שָׁלוֹם', 'לכולם', 'צה"ל', 'צה״ל'],
    misses: ['לום'],
  },
  {
    script: 'Vietnamese',
    text: 'Tôi sống ở Đà Nẵng',
    hits: ['da nang', 'đà nẵng', 'song', 'TÔI', '"đà nẵng"'],
    misses: ['hà', 'anang'],
  },
  {
    script: 'Turkish',
    text: 'İstanbul ve IĞDIR, ışık',
    hits: ['istanbul', 'İSTANBUL', 'iğdir', 'ığdır', 'igdir', 'IŞIK', 'isik'],
    misses: ['stanbul'],
  },
  {
    script: 'German',
    text: 'Große STRASSE in Köln',
    hits: ['grosse', 'GROẞE', 'straße', 'koln', 'kö'],
    misses: ['rosse', 'oln'],
  },
  {
    script: 'stroked letters',
    text: 'Łódź, Ørsted, Đorđe, ħobż, Æsir, Œuvre, Þór',
    hits: ['lodz', 'orsted', 'dorde', 'hobz', 'aesir', 'oeuvre', 'thor', 'łódź', 'ŒUVRE'],
    misses: ['odz', 'rsted'],
  },
  {
    script: 'Greek',
    text: 'Ο Σίσυφος στην οδό Όθωνος',
    hits: ['σισυφοσ', 'ΣΙΣΥΦΟΣ', 'οδο', 'όθωνοσ'],
    misses: ['ισυφος'],
  },
  { script: 'Russian', text: 'Ещё ЁЛКА и Москва', hits: ['еще', 'елка', 'ёлка', 'МОСК'], misses: ['осква'] },
  {
    script: 'Hindi',
    text: 'मुझे ज़रूरत है, हिन्दी में १२३',
    hits: ['जरूरत', 'ज़रूरत', 'हिन्दी', '123', 'हिन'],
    misses: ['हन्दी', 'रूरत'],
  },
  { script: 'Tamil', text: 'தமிழ் மொழி', hits: ['தமிழ்', 'தமி', 'மொழி'], misses: ['தமழ'] },
  {
    script: 'Georgian and Armenian',
    text: 'თბილისი ᲗᲑᲘᲚᲘᲡᲘ Երևան',
    hits: ['თბილისი', 'ᲗᲑᲘᲚ', 'ԵՐԵՒԱՆ', 'երեւան'],
    misses: ['ბილისი'],
  },
  {
    script: 'compatibility forms',
    text: 'Ｐａｌａｖｅｒ ﬁnds ½ ① ℡ ㍿',
    hits: ['palaver', 'ｐａｌ', 'finds', 'ﬁ', '1', '株式会社', 'tel'],
    misses: ['alaver', '式株'],
  },
  {
    script: 'invisible characters',
    text: 'pal\u00adaver\u200b \u2060plan\ufeff',
    hits: ['palaver', 'plan', 'pala\u200dver'],
    misses: ['aver'],
  },
  {
    script: 'mixed scripts',
    text: 'iPhone手机 第3回 API接口',
    hits: ['iphone', '手机', 'iphone手机', '第3回', '3回', 'api', '接口'],
    misses: ['phone手机', '3第'],
  },
  {
    script: 'quotes',
    text: 'the release plan is here',
    hits: ['"release plan"', '“release plan”', 'the "plan is"', '"plan'],
    misses: ['"plan release"', '"release pla"', '"elease plan"'],
  },
  {
    script: 'apostrophes',
    text: 'п’ять years, don’t, Hawaiʻi',
    hits: ["п'ять", 'пʼять', "don't", "hawai'i"],
    misses: ['ont'],
  },
  {
    script: 'nothing to find',
    text: 'one',
    hits: ['one', 'o'],
    misses: ['', ' ', '\u0301', '…', '👍', '\0', '"', '""', '\ud800', 'n', '"on"'],
  },
];
