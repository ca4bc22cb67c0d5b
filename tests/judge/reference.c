/* The judge's verdict once more in C, for long runs: the search of `explore` in reference.py.

   Every position that can be reached from the start is visited once.  A position is kept whole, with
   its columns and its cells sorted, and compared whole; nothing else is left out.  Home moves are
   choices like all others.  Single cards move, and with `unlimited` groups move as well.

   Cards are rank * 4 + suit, rank from 1, suits in the order C D H S; 0 is no card. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 16, MAX_CELLS = 8, MAX_CARDS = 52, MAX_RECORD = MAX_CARDS + MAX_COLUMNS + MAX_CELLS };
enum build { SAME_SUIT, ALTERNATE_COLOR, ANY_SUIT, DIFFERENT_SUIT };
enum fill { FILL_ANY, FILL_KINGS, FILL_NONE };

struct rules {
    int ranks, columns, cells;
    int build, fill, unlimited;
};

struct position {
    int length[MAX_COLUMNS];
    unsigned char column[MAX_COLUMNS][MAX_CARDS];
    unsigned char cell[MAX_CELLS];
    int home[4];
};

/* All positions seen: records of the same size one after another, and a table of their numbers + 1. */
struct seen {
    size_t size, count, room;
    unsigned char *records;
    uint32_t *table;
    size_t slots;
};

static int rank_of(int card) { return card / 4; }
static int suit_of(int card) { return card % 4; }
static int is_red(int card) { return suit_of(card) == 1 || suit_of(card) == 2; }

static int builds(const struct rules *rules, int card, int on)
{
    if (rank_of(card) + 1 != rank_of(on))
        return 0;
    switch (rules->build) {
    case SAME_SUIT:
        return suit_of(card) == suit_of(on);
    case ALTERNATE_COLOR:
        return is_red(card) != is_red(on);
    case DIFFERENT_SUIT:
        return suit_of(card) != suit_of(on);
    default:
        return 1;
    }
}

static int may_fill(const struct rules *rules, int card)
{
    return rules->fill == FILL_ANY || (rules->fill == FILL_KINGS && rank_of(card) == rules->ranks);
}

static int takes(const struct rules *rules, const struct position *position, int target, int card)
{
    int length = position->length[target];
    return length ? builds(rules, card, position->column[target][length - 1]) : may_fill(rules, card);
}

/* A position as a record: the columns sorted by their lowest-lying card, which no two share, each with
   a 0 behind it; the cells sorted; 0 to the end. */
static void pack(const struct rules *rules, const struct position *position, unsigned char *record, size_t size)
{
    int order[MAX_COLUMNS];
    unsigned char cells[MAX_CELLS];
    unsigned char *end = record;

    memset(record, 0, size);
    for (int i = 0; i < rules->columns; i++) {
        int first = position->length[i] ? position->column[i][0] : 255;
        int j = i;
        for (; j > 0; j--) {
            int other = position->length[order[j - 1]] ? position->column[order[j - 1]][0] : 255;
            if (other <= first)
                break;
            order[j] = order[j - 1];
        }
        order[j] = i;
    }
    for (int i = 0; i < rules->columns; i++) {
        int length = position->length[order[i]];
        memcpy(end, position->column[order[i]], length);
        end += length + 1;
    }
    for (int i = 0; i < rules->cells; i++) {
        int j = i;
        for (; j > 0 && cells[j - 1] > position->cell[i]; j--)
            cells[j] = cells[j - 1];
        cells[j] = position->cell[i];
    }
    memcpy(end, cells, rules->cells);
}

/* The position of a record; what it does not hold is home. */
static void unpack(const struct rules *rules, const unsigned char *record, struct position *position)
{
    for (int suit = 0; suit < 4; suit++)
        position->home[suit] = rules->ranks;
    for (int i = 0; i < rules->columns; i++) {
        int length = 0;
        for (; *record; record++) {
            position->column[i][length++] = *record;
            position->home[suit_of(*record)]--;
        }
        position->length[i] = length;
        record++;
    }
    for (int i = 0; i < rules->cells; i++) {
        position->cell[i] = *record++;
        if (position->cell[i])
            position->home[suit_of(position->cell[i])]--;
    }
}

static size_t slot_of(const struct seen *seen, const unsigned char *record)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < seen->size; i++)
        hash = (hash ^ record[i]) * 1099511628211u;
    size_t slot = (hash ^ hash >> 32) & (seen->slots - 1);
    while (seen->table[slot] && memcmp(seen->records + (seen->table[slot] - 1) * seen->size, record, seen->size))
        slot = (slot + 1) & (seen->slots - 1);
    return slot;
}

static void *resized(void *memory, size_t size)
{
    memory = realloc(memory, size);
    if (!memory)
        abort();
    return memory;
}

/* Makes room for one record more; it is written behind the last one. */
static void make_room(struct seen *seen)
{
    if (seen->count + 1 > seen->room) {
        seen->room = seen->room * 2 + 1024;
        seen->records = resized(seen->records, seen->room * seen->size);
    }
    if ((seen->count + 1) * 2 > seen->slots) {
        seen->slots = seen->slots ? seen->slots * 2 : 2048;
        seen->table = resized(seen->table, seen->slots * sizeof *seen->table);
        memset(seen->table, 0, seen->slots * sizeof *seen->table);
        for (size_t i = 0; i < seen->count; i++)
            seen->table[slot_of(seen, seen->records + i * seen->size)] = (uint32_t)(i + 1);
    }
}

/* Adds the position unless it has been seen; true if it is new. */
static int add(struct seen *seen, const struct rules *rules, const struct position *position)
{
    make_room(seen);
    unsigned char *record = seen->records + seen->count * seen->size;
    pack(rules, position, record, seen->size);
    size_t slot = slot_of(seen, record);
    if (seen->table[slot])
        return 0;
    seen->table[slot] = (uint32_t)++seen->count;
    return 1;
}

static int is_won(const struct rules *rules, const struct position *position)
{
    int home = 0;
    for (int suit = 0; suit < 4; suit++)
        home += position->home[suit];
    return home == 4 * rules->ranks;
}

/* What one move makes of `position`; returns how many positions it wrote to `after`. */
static int successors(const struct rules *rules, const struct position *position, struct position *after)
{
    int count = 0;

    for (int source = 0; source < rules->columns; source++) {
        const unsigned char *column = position->column[source];
        int length = position->length[source];
        int longest = length ? 1 : 0;
        if (rules->unlimited)
            while (longest < length && builds(rules, column[length - longest], column[length - longest - 1]))
                longest++;
        for (int moved = 1; moved <= longest; moved++) {
            int head = column[length - moved];
            for (int target = 0; target < rules->columns; target++) {
                if (target == source || !takes(rules, position, target, head))
                    continue;
                after[count] = *position;
                after[count].length[source] -= moved;
                memcpy(after[count].column[target] + position->length[target], column + length - moved, moved);
                after[count++].length[target] += moved;
            }
        }
        if (!length)
            continue;
        int card = column[length - 1];
        for (int cell = 0; cell < rules->cells; cell++) {
            if (position->cell[cell])
                continue;
            after[count] = *position;
            after[count].length[source]--;
            after[count++].cell[cell] = card;
            break; /* all empty cells are the same once sorted */
        }
        if (position->home[suit_of(card)] + 1 == rank_of(card)) {
            after[count] = *position;
            after[count].length[source]--;
            after[count++].home[suit_of(card)]++;
        }
    }
    for (int cell = 0; cell < rules->cells; cell++) {
        int card = position->cell[cell];
        if (!card)
            continue;
        for (int target = 0; target < rules->columns; target++) {
            if (!takes(rules, position, target, card))
                continue;
            after[count] = *position;
            after[count].cell[cell] = 0;
            after[count++].column[target][position->length[target]] = card;
            after[count - 1].length[target]++;
        }
        if (position->home[suit_of(card)] + 1 == rank_of(card)) {
            after[count] = *position;
            after[count].cell[cell] = 0;
            after[count++].home[suit_of(card)]++;
        }
    }
    return count;
}

/* 1 if the game can be won, 0 if not, -1 if more than `limit` positions would have to be seen; in
   `positions` how many were.

   `lengths` says how many cards each column holds, `cards` are those of all columns one after another. */
int decide(const struct rules *rules, const unsigned char *lengths, const unsigned char *cards,
           const unsigned char *cells, uint32_t limit, uint32_t *positions)
{
    /* No move makes more than one position for each length of a run and each target, but for the cells. */
    struct position *after = resized(NULL, (MAX_CARDS + MAX_CELLS) * (MAX_COLUMNS + 2) * sizeof *after);
    struct position position;
    struct seen seen = {0};
    uint32_t *unvisited = NULL;
    size_t waiting = 0, room = 0;
    int verdict = 0, total = 0;

    memset(&position, 0, sizeof position);
    for (int i = 0; i < rules->columns; i++) {
        position.length[i] = lengths[i];
        memcpy(position.column[i], cards + total, lengths[i]);
        total += lengths[i];
    }
    memcpy(position.cell, cells, rules->cells);
    for (int i = 0; i < rules->cells; i++)
        total += cells[i] != 0;
    seen.size = total + rules->columns + rules->cells;
    add(&seen, rules, &position);
    unvisited = resized(unvisited, (room = 1024) * sizeof *unvisited);
    unvisited[waiting++] = 0;

    while (waiting && verdict == 0) {
        unpack(rules, seen.records + unvisited[--waiting] * seen.size, &position);
        if (is_won(rules, &position)) {
            verdict = 1;
            break;
        }
        int count = successors(rules, &position, after);
        for (int i = 0; i < count; i++) {
            if (!add(&seen, rules, &after[i]))
                continue;
            if (seen.count > limit) {
                verdict = -1;
                break;
            }
            if (waiting == room)
                unvisited = resized(unvisited, (room *= 2) * sizeof *unvisited);
            unvisited[waiting++] = (uint32_t)(seen.count - 1);
        }
    }
    *positions = (uint32_t)seen.count;
    free(seen.records);
    free(seen.table);
    free(unvisited);
    free(after);
    return verdict;
}
