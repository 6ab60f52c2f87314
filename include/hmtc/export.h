#ifndef HMTC_EXPORT_H
#define HMTC_EXPORT_H

/* Marks what libhmtc shows to other programs; all else in it is hidden. */
#define HMTC_API __attribute__((visibility("default")))

#endif
